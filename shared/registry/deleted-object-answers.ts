/** Resources whose DELETE answers with the object (upstream's `ReturnDeletedObject`), by `group/resource`. */
const answersObject: ReadonlySet<string> = new Set([
  '/namespaces', '/persistentvolumeclaims', '/persistentvolumes', '/pods', '/podtemplates', '/resourcequotas', '/serviceaccounts',
  '/services', 'resource.k8s.io/deviceclasses', 'resource.k8s.io/devicetaintrules', 'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourceclaimtemplates', 'resource.k8s.io/resourcepoolstatusrequests', 'resource.k8s.io/resourceslices',
  'storage.k8s.io/csidrivers', 'storage.k8s.io/csinodes', 'storage.k8s.io/storageclasses', 'storage.k8s.io/volumeattachments',
  'storage.k8s.io/volumeattributesclasses',
]);

/** What DELETE answers where the strategy does not say: the object, or a Status that names it. */
export function answersDeletedObject(group: string, resource: string): boolean {
  return answersObject.has(`${group}/${resource}`);
}
