/** Where the site lies: it may be in any folder. */
export const SITE = new URL("../", import.meta.url);
