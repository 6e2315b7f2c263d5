import { activeSpan } from '#shared/spans/active-span.ts';

/** Tells of the write of a body of so many bytes that it failed (endpoints/handlers/create.go). @throws the error */
export function noteFailedWrite(length: number, error: unknown): never {
  const err = error instanceof Error ? error.message : String(error);
  activeSpan()?.event('Write to database call failed', { len: length, err });
  throw error;
}
