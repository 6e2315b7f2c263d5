import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { FlagValueError, type FlagKind } from './flag-kinds.ts';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** `30000-32767`, `30000+100` or one port (apimachinery/pkg/util/net/port_range.go). */
export const portRangeKind: FlagKind<PortRange> = {
  typeName: 'portRange',
  parse(written) {
    const text = written.trim();
    const [, first = '', sign, second = ''] = /^([^-+]*)(?:([-+])(.*))?$/s.exec(text) ?? [];
    if (/\+.*-|-.*\+/s.test(text)) throw new FlagValueError(`unable to parse port range: ${text}`);
    const low = port(first);
    const high = sign === undefined ? low : sign === '-' ? port(second) : low + port(second);
    if (low > 65_535 || high > 65_535) throw new FlagValueError(`the port range cannot be greater than 65535: ${text}`);
    if (high < low) throw new FlagValueError(`end port cannot be less than start port: ${text}`);
    return { first: low, last: high };
  },
  format: (value) => `${value.first}-${value.last}`,
};

function port(text: string): number {
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  throw new FlagValueError(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
}
