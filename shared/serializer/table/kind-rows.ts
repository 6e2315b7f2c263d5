import type { JsonObject } from '../../apimachinery/json.ts';
import type { JsonProjection } from '../../apimachinery/json-projection.ts';
import type { RowPrinter } from './cells.ts';

/** How the rows of a kind are made; its columns are facts. */
export interface KindRows {
  readonly print: RowPrinter;
  /**
   * What the printer reads of an object, so that the rest is passed over: for kinds of which there are many, or large
   * ones. Default: all of it.
   */
  readonly reads?: JsonProjection;
  /** Order of the rows where it is not the order of the list. */
  readonly order?: (a: JsonObject, b: JsonObject) => number;
}
