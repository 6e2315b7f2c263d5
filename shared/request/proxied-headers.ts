/**
 * What the gateway tells core of a request for a proxy subresource or for an upgrade, besides what it tells of every
 * request.
 */

/** The host that the client asked for, which the target is told as well. */
export const proxiedHostHeader = 'x-quarterdeck-host';

/** There if the client itself sent an `Audit-ID`: the target is told of that, and of no other. */
export const auditedHeader = 'x-quarterdeck-audited';
