import type { Steps } from '../../../shared/apimachinery/slices.ts';
import type { DeclaredType } from '../../../shared/cel/schema/declared-type.ts';
import type { Value } from '../../../shared/cel/values/value.ts';
import { FieldPathError, followFieldPath } from '../schema/field-path.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { KnownRules } from './definition-rules.ts';
import type { Rule } from './rule.ts';

/** An expression that can be evaluated. */
export interface Expression {
  evaluate(variables: { readonly self: Value; readonly oldSelf: Value | undefined }): Steps<{ readonly value: Value; readonly cost: number }>;
}

export interface CompiledRule {
  readonly source: Rule;
  /** Absent where the rule is empty or wrong. */
  readonly expression?: Expression;
  /** What is wrong with the rule. */
  readonly error?: string;
  /** It speaks of what was there before. */
  readonly usesOldSelf: boolean;
  /** What one evaluation costs at most. */
  readonly cost: number;
  /** Gives the text of its error. */
  readonly message?: Expression;
  readonly messageError?: string;
  readonly messageCost: number;
  /** Where its error is told, below the value; empty: of the value itself. */
  readonly fieldPath: string;
}

export interface CompileOptions {
  /** What one evaluation may cost. */
  readonly callCost: number;
  /** What was stored before may use everything this server has, what is new only what every server of the cluster has. */
  readonly known: 'all' | 'none' | Pick<KnownRules, 'expressions' | 'messageExpressions'>;
  /** Whether costs are estimated; else they are 0. */
  readonly estimates: boolean;
}

export function compileRules(rules: readonly Rule[], schema: SchemaNode, type: DeclaredType | undefined, options: CompileOptions): readonly CompiledRule[] {
  void [rules, schema, type, options, normalPath];
  return [];
}

function normalPath(text: string, schema: SchemaNode): string {
  try {
    return text === '' ? '' : (followFieldPath(text, schema).path?.toString() ?? '');
  } catch (error) {
    if (error instanceof FieldPathError) return '';
    throw error;
  }
}
