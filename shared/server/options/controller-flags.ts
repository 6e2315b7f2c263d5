import { stringsKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

/** The controllers of this product, by their names in kube-controller-manager (cmd/kube-controller-manager/names). */
export const controllerNames = [
  'namespace-controller',
  'garbage-collector-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
] as const;
export type ControllerName = (typeof controllerNames)[number];

/** Names of earlier releases, which kube-controller-manager takes, too. */
const aliases: ReadonlyMap<string, ControllerName> = new Map([
  ['namespace', 'namespace-controller'],
  ['garbagecollector', 'garbage-collector-controller'],
  ['serviceaccount', 'serviceaccount-controller'],
  ['root-ca-cert-publisher', 'root-ca-certificate-publisher-controller'],
]);

/** A flag of kube-controller-manager, with another default: kube-apiserver has no controllers. */
export const controllerFlags = {
  controllers: flag(
    stringsKind,
    'Quarterdeck',
    [],
    `Controllers to run: '*' for all, 'foo' for one, '-foo' for all but one, as in kube-controller-manager. Without it none. Known are ${controllerNames.join(', ')}.`,
  ),
};

/** The controllers that values of `--controllers` switch on. An exact name counts more than `*`, the first one most. */
export function chosenControllers(values: readonly string[]): readonly ControllerName[] {
  const whole = values.map((value) => {
    const isOff = value.startsWith('-');
    return { isOff, name: wholeName(isOff ? value.slice(1) : value) };
  });
  return controllerNames.filter((name) => {
    const own = whole.find((value) => value.name === name);
    return own === undefined ? values.includes('*') : !own.isOff;
  });
}

export function controllerErrors({ controllers }: { readonly controllers: readonly string[] }): string[] {
  return controllers
    .filter((value) => value !== '*' && !isKnown(value.startsWith('-') ? value.slice(1) : value))
    .map(
      (value) =>
        `--controllers: ${JSON.stringify(value)} is not in the list of known controllers: '*', or one of ${controllerNames.join(', ')}, with '-' before it to leave it out`,
    );
}

function wholeName(name: string): string {
  return aliases.get(name) ?? name;
}

function isKnown(name: string): boolean {
  return (controllerNames as readonly string[]).includes(wholeName(name));
}
