import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';

/**
 * The newest class that one of the annotations marks as the default; for two of the same second, the first by name.
 */
export function defaultClass(
  classes: readonly KubeObject[],
  ...annotations: readonly string[]
): KubeObject | undefined {
  const marked = classes.filter(({ metadata }) =>
    annotations.some((annotation) => stringAt(metadata, 'annotations', annotation) === 'true'),
  );
  return marked.sort((a, b) => {
    const older = compareUtf8(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '');
    return older !== 0 ? older : compareUtf8(a.metadata.name ?? '', b.metadata.name ?? '');
  })[0];
}
