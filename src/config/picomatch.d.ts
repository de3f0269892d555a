// The part of picomatch that is used. It matches what tinyglobby, which is built on it, finds on disk: the version is pinned
// to the one that tinyglobby brings.

declare module "picomatch" {
  /** A test whether a path, relative and with `/`, matches one of these globs. */
  export default function picomatch(globs: readonly string[], options: { posix: boolean }): (path: string) => boolean;
}
