export interface WebhookCallDetails {
  /** The status code of an answer that is an error. */
  readonly code?: number;
  /** Whether the caller ended the call. */
  readonly isAborted?: boolean;
  /** Whether the configuration is unusable, so that nothing was sent. */
  readonly isUnusable?: boolean;
}

/** A webhook could not be called, or gave no usable answer. The message is the reference's. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  readonly details: WebhookCallDetails;

  constructor(message: string, details: WebhookCallDetails = {}) {
    super(message);
    this.details = details;
  }
}
