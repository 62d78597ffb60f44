/** The site's root; the site may lie in any folder of a host. */
export const SITE_URL = new URL("../", import.meta.url);
