/**
 * Headers that the gateway adds to requests for a proxy subresource or an upgrade, besides those that it adds to every
 * request.
 */

/** The host in the client's request, for the target. */
export const proxiedHostHeader = 'x-quarterdeck-host';

/** Present if the client itself sent an `Audit-ID`, which is then passed on to the target; a generated one is not. */
export const auditedHeader = 'x-quarterdeck-audited';
