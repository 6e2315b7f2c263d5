/** The reference's sections in its order, and that of this product's own flags. */
export const sectionOrder = [
  'Generic',
  'Etcd',
  'Secure serving',
  'Auditing',
  'Features',
  'Authentication',
  'Authorization',
  'API enablement',
  'Egress selector',
  'Admission',
  'Metrics',
  'Logs',
  'Traces',
  'Misc',
  'Quarterdeck',
  'Global',
] as const;
export type FlagSection = (typeof sectionOrder)[number];
