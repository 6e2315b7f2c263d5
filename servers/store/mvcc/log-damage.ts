/** The store's file is damaged: a checksum or a count does not match, or SQLite reports an error. */
export class LogDamagedError extends Error {
  override readonly name = 'LogDamagedError';
  /** The damaged row of the log, if it is a single one. */
  readonly id: number | undefined;

  constructor(detail: string, options: { id?: number; cause?: unknown } = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.id = options.id;
  }
}

/** SQLITE_IOERR, SQLITE_CORRUPT and SQLITE_NOTADB; extended codes contain one of them in their lowest byte. */
const damageCodes: ReadonlySet<number> = new Set([10, 11, 26]);

/** What the operator of a damaged store can do. */
export const damageRemedy =
  '"quarterdeck store verify" lists what is damaged; make a new data directory of the rest with "quarterdeck store repair", or of a snapshot with "quarterdeck store snapshot restore"';

/** SQLITE_IOERR_SHMSIZE: no disk space for the index of the write-ahead log. */
export const noRoomForIndex = 4874;

/** Whether an error of SQLite or its binding means that the file is damaged. */
export function isDamageOfFile(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // ERR_OUT_OF_RANGE: an integer is too large for a JavaScript number; the store never writes such a value.
  return (
    code === 'ERR_OUT_OF_RANGE' ||
    (typeof errcode === 'number' && errcode !== noRoomForIndex && damageCodes.has(errcode & 0xff))
  );
}

/** SQLITE_CORRUPT and SQLITE_NOTADB with their extended codes, and SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ. */
const corruptCodes: ReadonlySet<number> = new Set([11, 26]);
const readCodes: ReadonlySet<number> = new Set([266, 522]);

/** Whether a write failed before it changed anything, because it could not read the pages to change. */
export function failedToRead(errcode: number): boolean {
  return corruptCodes.has(errcode & 0xff) || readCodes.has(errcode);
}

/** Runs a read of the file. @throws LogDamagedError in place of SQLite's errors about a damaged file */
export function withDamageErrors<T>(read: () => T, id?: number): T {
  try {
    return read();
  } catch (error) {
    if (!isDamageOfFile(error)) throw error;
    throw new LogDamagedError((error as Error).message, { ...(id === undefined ? {} : { id }), cause: error });
  }
}
