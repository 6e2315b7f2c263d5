// Expressions for the recorder, beside those of upstream's tests: functions with arguments of all kinds, good and bad.
const quote = (text) => JSON.stringify(text);
const cases = [];
const each = (make, ...lists) => {
  const go = (args, rest) =>
    rest.length === 0 ? cases.push(make(...args)) : rest[0].forEach((value) => go([...args, value], rest.slice(1)));
  go([], lists);
};

const doubles = [
  '0.0',
  '-0.0',
  '0.5',
  '1.5',
  '2.5',
  '0.125',
  '1.0005',
  '1.0115',
  '1.2345',
  '9.9995',
  '999999.9995',
  '1234567.891',
  '1e21',
  '1.5e300',
  '-2.5e-7',
  '5e-324',
  '1e6',
  '123456789.0',
  '-1234.5',
  'double("NaN")',
  'double("Infinity")',
  'double("-Infinity")',
];
each(
  (verb, value) => `${quote(verb)}.format([${value}])`,
  ['%f', '%.0f', '%.1f', '%.3f', '%.10f', '%.300f', '%e', '%.0e', '%.3e', '%.20e', '%s', 'a%%b%.2f'],
  doubles,
);
each((value) => `'%s'.format([[${value}]])`, doubles);
const others = [
  '1',
  '-7',
  '9223372036854775807',
  '-9223372036854775808',
  '3u',
  '18446744073709551615u',
  'true',
  '"é\\n\\"x"',
  "b'ab'",
  "b'\\xff'",
  'null',
  'duration("1h1m1.5s")',
  'duration("-1ns")',
  'timestamp("2020-01-02T03:04:05.06Z")',
  'timestamp("0001-01-01T00:00:00+05:00")',
  'type(1)',
  '[1, 2]',
  '{"b": 1, "a": [true]}',
  '{1: 2.5, 3: "x"}',
  'optional.of(1)',
  'quantity("1Ki")',
  'ip("::1")',
];
each(
  (verb, value) => `${quote(verb)}.format([dyn(${value})])`,
  ['%s', '%d', '%f', '%e', '%b', '%o', '%x', '%X', '%z', '%'],
  others,
);
each(
  (text) => `${quote(text)}.format([1, 2])`,
  ['%d', '%d %d %d', '%.d', '%.5', '%.99999999999999999999f', '%é', 'é%d%d'],
);

// What is no expression, where a macro stands around it.
each(
  (around, inner) => around.replace('X', inner),
  ['has(X)', '(has(X))', '!a || (has(X))', 'a.all(x, X)', '[1].map(has(X), 1)', 'a.exists(X, true)', '{has(X): X}'],
  [
    'a.[b',
    'a.b.[c',
    'a.b.(c',
    'a..b',
    'a.b.',
    'a[b',
    'a.b{',
    'a?b',
    'a.?',
    'a[?',
    '.a.[b]',
    'a.1',
    'a.b.[c].d',
    '',
    'a b',
    'a.`b',
    'a.b.!c',
  ],
);

const texts = ['', 'a', 'hello', 'héllo wörld', '😀a😀', 'a,b,,c', 'AbCéÉ', ' \\t x \u00a0', 'aXaXa'];
const numbers = ['-1', '0', '1', '2', '5', '100', '9223372036854775807'];
each((text, n) => `${quote(text)}.charAt(${n})`, texts, numbers);
each((text, n) => `${quote(text)}.substring(${n})`, texts, numbers);
each((text, a, b) => `${quote(text)}.substring(${a}, ${b})`, ['', 'héllo', '😀a😀'], numbers, ['0', '1', '3']);
each((text, part) => `[${quote(text)}.indexOf(${quote(part)}), ${quote(text)}.lastIndexOf(${quote(part)})]`, texts, [
  '',
  'a',
  'l',
  '😀',
  'X',
  'zz',
]);
each(
  (text, part, n) => `${quote(text)}.indexOf(${quote(part)}, ${n})`,
  ['', '😀a😀', 'hello'],
  ['', 'a', '😀', 'l'],
  numbers,
);
each(
  (text, part, n) => `${quote(text)}.lastIndexOf(${quote(part)}, ${n})`,
  ['', '😀a😀', 'hello'],
  ['', 'a', '😀', 'l'],
  numbers,
);
each(
  (text, part, n) => `${quote(text)}.split(${quote(part)}, ${n})`,
  ['', '😀a😀', 'a,b,,c'],
  ['', ',', 'b,'],
  ['-1', '0', '1', '2', '10'],
);
each(
  (text, part, by, n) => `${quote(text)}.replace(${quote(part)}, ${quote(by)}, ${n})`,
  ['', '😀a😀', 'a,b,,c'],
  ['', ',', 'a'],
  ['', 'yy'],
  ['-1', '0', '1', '2'],
);
each((text, name) => `${quote(text)}.${name}()`, texts, ['lowerAscii', 'upperAscii', 'trim', 'size']);
each((text) => `strings.quote(${quote(text)})`, [...texts, 'a"b\\\\c\\n\\u0007']);
each(
  (text, pattern) => `[${quote(text)}.find(${quote(pattern)})] + ${quote(text)}.findAll(${quote(pattern)})`,
  ['', 'hello world', '😀a😀ab', 'aaa\\nbaa'],
  ['', 'o', 'l+', '^a|a$', '(?m)^b?a', '\\\\b', '[^a]', '(a|ab)(c|b)?', 'x*', '.+?a', '(?i)A'],
);
each((n) => `'a1b22c333'.findAll('[0-9]+', ${n})`, ['-1', '0', '1', '2', '9']);

const urls = [
  'https://user:pa%20ss@example.com:80/a%2Fb/c d?x=1&y=%zz&x=2+3;z#f',
  'http://[::1]:8080/x',
  'http://[fe80::1%25en0]/',
  '/only/path?q',
  'mailto:a@b',
  '*',
  '',
  'http://a b/',
  'http://exa%mple/',
  'http://h:p/',
  '://x',
  'HTTP://EXAMPLE.com',
  'http://x/%',
  'http://[1.2.3.4]/',
  'http://[::1',
  'x',
  'http://h/a?b=c&b=d&e',
  'http://é.com/é?é=é',
  'http://h/!$&()*+,;=:@[]',
  'http://a:b:c/',
  'tcp://a:1:2/',
  'http://u@h@g/',
];
each((url) => `isURL(${quote(url)})`, urls);
each((url, part) => `url(${quote(url)}).${part}()`, urls, [
  'getScheme',
  'getHost',
  'getHostname',
  'getPort',
  'getEscapedPath',
  'getQuery',
]);
each(
  (a, b) => `url(${quote(a)}) == url(${quote(b)})`,
  ['http://a/%41', 'http://a/A?', 'http://u:@a', 'HTTP://a'],
  ['http://a/A', 'http://a/A?', 'http://u@a', 'http://a'],
);

const addresses = [
  '1.2.3.4',
  '01.2.3.4',
  '256.1.1.1',
  '1.2.3',
  '1.2.3.4.5',
  '1..2.3',
  '.1.2.3',
  '1.2.3.a',
  '::',
  '::1',
  '1::2::3',
  'fe80::1%eth0',
  'fe80::1%',
  '%x',
  'x',
  '',
  '::ffff:1.2.3.4',
  '2001:DB8::1',
  '2001:db8:0:0:1:0:0:1',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7:8:9',
  '12345::',
  '1:2:3:4:5:6:7',
  '::1.2.3',
  '1:2:3:4:5:6:1.2.3.4',
  '1:2:3:4:5:6:7:1.2.3.4',
  'g::',
  ':1',
  '1:',
  '224.0.0.1',
  '169.254.1.1',
  '255.255.255.255',
  '127.1.1.1',
  'ff02::1',
  'ff05::1',
];
each((text) => `[isIP(${quote(text)})]`, addresses);
each((text) => `string(ip(${quote(text)}))`, addresses);
each((text) => `ip.isCanonical(${quote(text)})`, addresses);
each(
  (text, name) => `ip(${quote(text)}).${name}()`,
  [
    '1.2.3.4',
    '::',
    '::1',
    '224.0.0.1',
    '169.254.1.1',
    '255.255.255.255',
    '0.0.0.0',
    '127.1.1.1',
    'ff02::1',
    'fe80::1',
    '2001:db8::1',
  ],
  ['family', 'isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'],
);
const ranges = [
  '10.0.0.0/8',
  '10.1.2.3/8',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0',
  '::/0',
  '2001:db8::1/129',
  'fe80::%a/64',
  '::ffff:1.2.3.4/100',
  '/8',
  '1.2.3.4/',
  '2001:db8::ffff/33',
];
each((text) => `string(cidr(${quote(text)}))`, ranges);
each(
  (text) =>
    `string(cidr(${quote(text)}).masked()) + string(cidr(${quote(text)}).prefixLength()) + string(cidr(${quote(text)}).ip())`,
  ranges,
);
each(
  (text, other) =>
    `[cidr(${quote(text)}).containsIP(${quote(other)}), cidr(${quote(text)}).containsCIDR(${quote(`${other}/24`)})]`,
  ['10.0.0.0/8', '10.0.0.0/30', '::/0', '2001:db8::/32'],
  ['10.2.3.4', '11.1.1.1', '::1', 'x', '2001:db8::9'],
);

// Texts of numbers, as strconv.ParseFloat, ParseInt and ParseUint read them.
each(
  (type, text) => `${type}(${quote(text)})`,
  ['double', 'int', 'uint'],
  [
    '1',
    '-1',
    '+1',
    '-0',
    '01',
    '1.',
    '.5',
    '.',
    '-.5',
    '1.5',
    '',
    ' 1',
    '1 ',
    '1f',
    '1_0',
    '--1',
    '0b1',
    '0o7',
    '1e10',
    '1E05',
    '1e+0',
    '1e-07',
    '1.e2',
    '.5e1',
    '1e',
    '1e+',
    'e1',
    '1e400',
    '-1e400',
    '1e-400',
    '1e1.5',
    '0x1p4',
    '0X1P+4',
    '0x1.8p1',
    '0x.8p1',
    '0x1.p0',
    '0x1',
    '0x.p1',
    '0xp1',
    '0x1p',
    '-0x1p-2',
    '0x1p1024',
    '1__0',
    '_1',
    '1_',
    '-_1',
    '1_.0',
    '1._0',
    '1.0_1',
    '1e1_0',
    '1e_1',
    '1_e1',
    '0x_1p0',
    '0x1_p0',
    '0x1p1_0',
    '0_x1p0',
    '0x_p0',
    '0x1_fp0',
    '1_inf',
    'inf',
    '+Inf',
    '-INFINITY',
    'infinit',
    'nan',
    'NaN',
    '-nan',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '-9223372036854775809',
    '18446744073709551615',
    '18446744073709551616',
    '179769313486231570814527423731704356798070e267',
    '5e-324',
  ],
);

const quantities = [
  '1',
  '1.5',
  '1Ki',
  '100m',
  '-3',
  '1e3',
  '1E',
  '0',
  '1.0000000000000000001',
  '99999999999999999999',
  '1k',
  'x',
  '',
  '1Kii',
  '0.1n',
  '12e-3',
];
each((text) => `isQuantity(${quote(text)})`, quantities);
each((text, name) => `quantity(${quote(text)}).${name}()`, quantities, [
  'asInteger',
  'isInteger',
  'asApproximateFloat',
]);
each((text) => `[sign(quantity(${quote(text)}))]`, quantities);
each(
  (a, b) =>
    `[quantity(${quote(a)}).add(quantity(${quote(b)})), quantity(${quote(a)}).sub(quantity(${quote(b)})), quantity(${quote(a)}).add(5), quantity(${quote(a)}).sub(5)]`,
  ['1', '1.5', '1Ki', '100m', '0', '1e3'],
  ['1', '2Ki', '50m', '-1'],
);
each(
  (a, b) =>
    `[quantity(${quote(a)}).compareTo(quantity(${quote(b)})), int(quantity(${quote(a)}).isLessThan(quantity(${quote(b)})) ? 1 : 0)]`,
  ['1', '1Ki', '100m'],
  ['1000m', '1024', '0.1'],
);

const versions = [
  '1.2.3',
  'v1.2.3',
  '1.2',
  '1',
  '01.2.3',
  '1.2.3-alpha.1',
  '1.2.3-01',
  '1.2.3-',
  '1.2.3+b.1',
  '1.2.3+',
  '1.2.3-a..b',
  '1.a.3',
  '',
  '1.2.3-a_b',
  '99999999999999999999.1.1',
  'v1',
  '1.02',
  '00.1.0-x',
  'v',
  '1-a',
  '1.2.3+a_b',
];
each((text) => `isSemver(${quote(text)})`, versions);
each((text) => `semver(${quote(text)}).major()`, versions);
each((text) => `semver(${quote(text)}, true).minor()`, versions);
each(
  (a, b) => `semver(${quote(a)}).compareTo(semver(${quote(b)}))`,
  ['1.2.3', '1.2.3-alpha', '1.2.3-alpha.1', '1.2.3-2', '1.2.3-10', '1.2.3+x', '2.0.0'],
  ['1.2.3', '1.2.3-alpha.beta', '1.2.3-2', '1.10.0'],
);

const named = [
  'dns1123Label',
  'dns1123Subdomain',
  'dns1035Label',
  'qualifiedName',
  'dns1123LabelPrefix',
  'dns1123SubdomainPrefix',
  'dns1035LabelPrefix',
  'labelValue',
  'uri',
  'uuid',
  'byte',
  'date',
  'datetime',
];
each((name, text) => `format.${name}().validate(${quote(text)})`, named, [
  '',
  'a',
  'a-',
  'A.b',
  'a/b',
  '1a',
  'aGVsbG8=',
  '2021-01-31',
  '2021-02-30',
  '2021-01-01T00:00:00Z',
  '123e4567-e89b-12d3-a456-426614174000',
  'http://x/y',
  'a'.repeat(64),
]);
each((name) => `format.named(${quote(name)}).hasValue()`, [...named, 'x', '']);

const lists = [
  '[]',
  '[1]',
  '[3, 1, 2]',
  '[1.5, -1.0]',
  '["b", "a", "é"]',
  '[true, false]',
  '[[1], [2, [3]]]',
  '[duration("1s"), duration("1m")]',
  '[9223372036854775807, 1]',
  '[1u, 2u]',
  'dyn([1, "a"])',
  'dyn([2, 1.5])',
];
each((list, name) => `${list}.${name}()`, lists, [
  'sum',
  'min',
  'max',
  'isSorted',
  'sort',
  'distinct',
  'reverse',
  'flatten',
]);
each((list, a, b) => `${list}.slice(${a}, ${b})`, ['[1, 2, 3]'], ['-1', '0', '1', '3'], ['0', '2', '3', '4']);
each((list, n) => `${list}.flatten(${n})`, ['[[1], [2, [3, [4]]]]', '[1]'], ['-1', '0', '1', '2', '9']);
each((n) => `lists.range(${n})`, ['-1', '0', '3']);
each((list) => `${list}.sortBy(e, -e)`, ['[1, 3, 2]', '[]']);
each(
  (a, b, name) => `sets.${name}(${a}, ${b})`,
  ['[]', '[1, 2]', '[[1]]'],
  ['[]', '[2]', '[1, 2, 2]'],
  ['contains', 'equivalent', 'intersects'],
);
each((list, x) => `[${list}.indexOf(${x}), ${list}.lastIndexOf(${x})]`, ['[1, 2, 1]', '[]'], ['1', '3']);
each((key) => `jsonpatch.escapeKey(${quote(key)})`, ['a/b~c', '', '~1']);

const keys = [
  '1',
  '1u',
  '1.0',
  '3.3',
  '-0.0',
  'double("NaN")',
  'null',
  'true',
  '"a"',
  "b'a'",
  '[1]',
  '{1: 2}',
  'duration("1s")',
  'timestamp("2020-01-02T03:04:05Z")',
  'int',
  'optional.of(1)',
  'quantity("1")',
  'ip("::1")',
];
const mapsOf = [
  (key) => `{${key}: 5}[${key}]`,
  (key) => `[${key} in {${key}: 5}]`,
  (key) => `{${key}: 5}`,
  (key) => `{dyn(${key}): 5}.size()`,
  (key) => `{${key}: 5, ${key}: 6}.map(k, k)`,
  (key) => `[{${key}: 5} == {${key}: 5}]`,
  (key) => `{'x': 1}.transformMap(k, v, {dyn(${key}): v})`,
  (key) => `[has({${key}: 5}.a)]`,
  (key) => `{1: 5, 1u: 6}[dyn(${key})]`,
  (key) => `[1, 2][dyn(${key})]`,
];
for (const key of keys) for (const make of mapsOf) cases.push(make(key));
each((a, b) => `[{${a}: 5} == {${b}: 5}]`, keys.slice(0, 5), keys.slice(0, 5));
const failing = ['dyn(1 / 0)', 'dyn([1][5])', 'dyn({})["a"]'];
each(
  (call, wrong) => call.replaceAll('$', wrong),
  [
    'int($)',
    '[$].size()',
    'size($)',
    "'abc'.substring($, 1)",
    "'abc'.substring(1, $)",
    "'abc'.charAt($)",
    '$.charAt(1)',
    'duration($)',
    '$ + 1',
    '1 + $',
    '-$',
    '!$',
    '$ == 1',
    '1 in $',
    '$ in [1]',
    '[$, 1]',
    '{"a": $}',
    '{$: 1}',
    '$ ? 1 : 2',
    '$ || true',
    '$ && false',
    'dyn([1, 2]).map(x, $)',
    '$.map(x, x)',
    '$.all(x, true)',
    'optional.of($)',
    '$.a.b',
    '{"a": 1}[$]',
    "'%d'.format([$])",
    "'a'.replace('a', $)",
    "'a'.replace($, 'a', 1)",
    '$.matches("a")',
    '"a".matches($)',
    'string($)',
    'type($)',
    'timestamp($).getHours()',
    '[1, 2].sum() + $',
    '$.isSorted()',
    'lists.range($)',
    '[1].slice($, 1)',
    '[1].slice(0, $)',
    'isIP($)',
    'ip($)',
    'quantity($)',
    'sets.contains($, [1])',
    'sets.contains([1], $)',
    '[1].indexOf($)',
    'optional.of(1).orValue($)',
    '$.orValue(1)',
    '{?"a": optional.of($)}',
    '[?optional.of($)]',
    'cidr("::/0").containsIP($)',
  ],
  failing,
);
// Errors where the types are known.
each(
  (call, wrong) => call.replaceAll('$', wrong),
  [
    '$.sort()',
    '$.distinct()',
    '$.flatten()',
    '$.flatten(1)',
    '$.reverse()',
    '$.sortBy(e, e)',
    '$.slice(0, 1)',
    '$.sum()',
    '$.min()',
    '$.isSorted()',
    '$.indexOf(1)',
    '$ + [1]',
    '[1] + $',
    '$.map(x, x)',
    '$.size()',
    '1 in $',
    'sets.contains($, [1])',
    'sets.intersects([1], $)',
    'sets.equivalent($, $)',
    '$ == [1]',
    '$[0]',
    '$.transformList(i, x, x)',
    '$.map(x, string(x)).join()',
    '[0].sortBy(e, $[0])',
    '($.sort().size() > 0) || true',
    "'%s'.format([$])",
  ],
  ['[1].slice(0, -1)', '[[1]][5]'],
);
each(
  (call, wrong) => call.replaceAll('$', wrong),
  [
    '[1].slice(0, $)',
    '[1].slice($, 1)',
    'lists.range($)',
    '[[1]].flatten($)',
    '[1][$]',
    "'abc'.substring($)",
    "'abc'.substring(0, $)",
    "'abc'.charAt($)",
    "'abc'.indexOf('a', $)",
    "'a,b'.split(',', $)",
    "'aa'.replace('a', 'b', $)",
    "'a1'.findAll('[0-9]', $)",
    '[$].sort()',
    '[$].distinct()',
    '[$, 1].sum()',
    '$ + 1',
    '-$',
    'string($)',
    'double($)',
    'timestamp($)',
    'quantity("1").add($)',
    '[1].indexOf($)',
    '{$: 1}',
    '$ in [1]',
    '$ in {1: 2}',
  ],
  ['1 / 0', "int('x' + 'y')"],
);
each(
  (call, wrong) => call.replaceAll('$', wrong),
  [
    '$.size()',
    '$.startsWith("a")',
    '"a".startsWith($)',
    '$ + "a"',
    '$ < "a"',
    '$.lowerAscii()',
    '$.split(",")',
    '"a,b".split($)',
    '["a"].join($)',
    '$.replace("a", "b")',
    '$.find("a")',
    '$.findAll("a")',
    '$.matches("a")',
    '"a".matches($)',
    'quantity($)',
    'isQuantity($)',
    'ip($)',
    'cidr($)',
    'isIP($)',
    'url($)',
    'isURL($)',
    'semver($)',
    'format.named($)',
    'format.uri().validate($)',
    'duration($)',
    'bytes($)',
    '$.format([1])',
    '["b"].sort() == [$]',
    '["a", $].sort()',
    '[$].distinct()',
    'strings.quote($)',
    'jsonpatch.escapeKey($)',
    'cidr("::/0").containsIP($)',
    'ip.isCanonical($)',
    '$.trim().charAt(0)',
    '$.contains("a")',
    '"a".contains($)',
  ],
  ["'a'.charAt(5 - 1)", "['a'][3]"],
);
// All overloads of a sort share one implementation.
each(
  (call, value) => call.replaceAll('$', value),
  ['$.sort()', '$.sortBy(e, e)', '[1, 2].sortBy(e, $)'],
  [
    'dyn([[1], [2]])',
    "dyn([{'a': 1}])",
    "dyn(['a', 1])",
    'dyn([null])',
    "dyn('a')",
    'dyn(1)',
    "dyn({'a': 1})",
    'dyn(null)',
  ],
);
process.stdout.write(JSON.stringify([...new Set(cases)]));
