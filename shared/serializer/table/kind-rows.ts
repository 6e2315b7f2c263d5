import type { JsonProjection } from '#shared/apimachinery/json/json-projection.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { RowPrinter } from './cells.ts';

/** How the rows of a kind are printed; the columns come from the facts. */
export interface KindRows {
  readonly print: RowPrinter;
  /**
   * The fields that the printer reads; all others are skipped. Set for kinds with many or large objects. Default: the
   * whole object.
   */
  readonly reads?: JsonProjection;
  /** Order of the rows where it is not the order of the list. */
  readonly order?: (a: JsonObject, b: JsonObject) => number;
}
