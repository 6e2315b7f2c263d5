import type { KubeObject } from '#shared/apimachinery/object.ts';

/** The response of subresources that return no object: a Status of success. `code` is the HTTP status. */
export function successStatus(code: number): KubeObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code };
}
