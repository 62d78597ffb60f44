/** What the build puts into a script as it stands in its file. */
declare module "*.wasm" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
