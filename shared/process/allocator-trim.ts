/** Gives free memory of the C library's allocator back to the system (.github/decisions/memory-of-v8-and-glibc.md). */
export type AllocatorTrim = () => void;

/**
 * `malloc_trim` of glibc (malloc/malloc.c). Its allocator keeps freed memory that lies between pieces in use, which of
 * what large requests leave is the most; a call takes some milliseconds for tens of MiB. Undefined where the C library
 * has no such function (musl, macOS, Windows), and on releases of Node without `node:ffi` (26.1 added it).
 */
export function allocatorTrim(): AllocatorTrim | undefined {
  try {
    const { functions } = process
      .getBuiltinModule('node:ffi')
      .dlopen(null, { malloc_trim: { arguments: ['uint64'], return: 'int32' } });
    return () => void functions.malloc_trim(0n);
  } catch {
    return undefined;
  }
}
