/**
 * In which a backend tells the gateway what the audit events of a request hold. It concerns that hop only: nobody
 * behind a backend may say what the gateway logs.
 */
export const auditHeader = 'x-quarterdeck-audit';
