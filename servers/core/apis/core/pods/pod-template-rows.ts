import { cellsOf, containerCells, formatMap, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

export const podTemplateRows: KindRows = {
  print: cellsOf((object) => [
    nameOf(object),
    ...containerCells(object, 'template', 'spec'),
    formatMap(object, 'template', 'metadata', 'labels'),
  ]),
};
