/** Names of the codes of gRPC, as Go prints them, by their numbers. */
const names = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
] as const;

export type GrpcCodeName = (typeof names)[number];

/** The name of a code; undefined for numbers that are none. */
export function grpcCodeName(code: number): GrpcCodeName | undefined {
  return names[code];
}

/** A call of gRPC failed. The message is that of Go's client. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: string;

  constructor(code: string, description: string) {
    super(`rpc error: code = ${code} desc = ${description}`);
    this.code = code;
  }
}
