import type { KubeObject } from '../../../../../shared/apimachinery/object.ts';

/** The answer of subresources that only act: a Status that says so. `code` is the HTTP status. */
export function successStatus(code: number): KubeObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code };
}
