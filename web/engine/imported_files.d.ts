/** Files that the build embeds in the script that imports them. */
declare module "*.wasm" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
