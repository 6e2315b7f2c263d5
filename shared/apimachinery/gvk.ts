/** A group and a version; the core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  /** Plural, lower case. */
  readonly resource: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/**
 * Parses an `apiVersion`: `apps/v1`, `v1`. Empty text and `/` give the empty group version.
 * @throws Error with the reference's text when there is more than one slash.
 */
export function parseGroupVersion(text: string): GroupVersion {
  if (text === '' || text === '/') return { group: '', version: '' };
  const slash = text.indexOf('/');
  if (slash < 0) return { group: '', version: text };
  if (text.includes('/', slash + 1)) throw new Error(`unexpected GroupVersion string: ${text}`);
  return { group: text.slice(0, slash), version: text.slice(slash + 1) };
}

/** `apps/v1`, or `v1` for the core group. */
export function formatGroupVersion(gv: GroupVersion): string {
  return gv.group === '' ? gv.version : `${gv.group}/${gv.version}`;
}

/** Parses these two fields of an object; a broken `apiVersion` leaves group and version empty, as in the reference. */
export function parseGroupVersionKind(apiVersion: string, kind: string): GroupVersionKind {
  if (apiVersion.split('/').length > 2) return { group: '', version: '', kind };
  return { ...parseGroupVersion(apiVersion), kind };
}

/** `apps/v1, Kind=Deployment`; the core group prints as `/v1, Kind=Pod`. */
export function formatGroupVersionKind(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}

/** `deployments.apps`, or `pods` for the core group. */
export function formatGroupResource(gr: GroupResource): string {
  return gr.group === '' ? gr.resource : `${gr.resource}.${gr.group}`;
}

/** `Deployment.apps`, or `Pod` for the core group. */
export function formatGroupKind(gk: GroupKind): string {
  return gk.group === '' ? gk.kind : `${gk.kind}.${gk.group}`;
}
