/**
 * What the gateway tells core of a request for a proxy subresource or for an upgrade, besides what it tells of every
 * request.
 */

/** The host in the client's request, for the target. */
export const proxiedHostHeader = 'x-quarterdeck-host';

/** Present if the client itself sent an `Audit-ID`, which is then passed on to the target; a generated one is not. */
export const auditedHeader = 'x-quarterdeck-audited';
