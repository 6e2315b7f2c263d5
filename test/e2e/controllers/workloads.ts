import type { KubectlSteps } from './kubectl-steps.ts';

const empty = (output: string): boolean => output === '';
const is =
  (wanted: string) =>
  (output: string): boolean =>
    output === wanted;

/**
 * One round of what controllers, scheduler and nodes do for a user, in a namespace of its own. Rejects at the first
 * thing that does not come about.
 */
export async function runWorkloads(
  kubectl: KubectlSteps,
  namespace: string,
  say: (step: string) => void,
): Promise<void> {
  const within = `-n ${namespace}`;
  const step = async (name: string, action: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await action();
    say(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  };
  await step('a namespace gets its service account and the root authority', async () => {
    await kubectl.do(`create namespace ${namespace}`);
    await kubectl.until(
      `${within} get serviceaccount,configmap -o name`,
      is('serviceaccount/default\nconfigmap/kube-root-ca.crt'),
      20,
    );
  });
  await step('50 pods of a Deployment become ready', async () => {
    await kubectl.do(`${within} apply -f workloads.yaml`);
    await kubectl.do(`${within} rollout status deployment/web --timeout=120s`);
    await kubectl.until(`${within} get deployment web -o jsonpath={.status.readyReplicas}`, is('50'), 20);
  });
  await step('its endpoints follow', () =>
    kubectl.until(
      `${within} get endpointslices -l kubernetes.io/service-name=web -o jsonpath={.items[*].endpoints[*].conditions.ready}`,
      (output) => output.split(' ').length === 50 && !output.includes('false'),
      30,
    ),
  );
  await step('budget and quota are counted', async () => {
    await kubectl.until(`${within} get pdb web -o jsonpath={.status.currentHealthy}`, is('50'), 30);
    await kubectl.until(`${within} get quota all -o jsonpath={.status.used.count/deployments\\.apps}`, is('1'), 30);
  });
  await step('it rolls', async () => {
    await kubectl.do(`${within} set image deployment/web main=example.com/web:2`);
    await kubectl.do(`${within} rollout status deployment/web --timeout=180s`);
    await kubectl.until(
      `${within} get replicasets -l app=web -o jsonpath={.items[*].status.replicas}`,
      (output) => output.split(' ').sort().join() === '0,50',
      60,
    );
  });
  await step('it scales', async () => {
    await kubectl.do(`${within} scale deployment/web --replicas=10`);
    await kubectl.until(`${within} get pods -l app=web -o name`, (output) => output.split('\n').length === 10, 60);
  });
  await step('it is undone and restarted', async () => {
    await kubectl.do(`${within} rollout undo deployment/web`);
    await kubectl.do(`${within} rollout status deployment/web --timeout=60s`);
    await kubectl.do(`${within} rollout restart deployment/web`);
    await kubectl.do(`${within} rollout status deployment/web --timeout=60s`);
  });
  await step('a StatefulSet comes up in order', async () => {
    await kubectl.do(`${within} rollout status statefulset/db --timeout=90s`);
    await kubectl.until(`${within} get pods -l app=db -o jsonpath={.items[*].metadata.name}`, is('db-0 db-1 db-2'), 10);
  });
  await step('a DaemonSet stands on each node', () =>
    kubectl.do(`${within} rollout status daemonset/agent --timeout=60s`),
  );
  await step('a Job ends', () => kubectl.do(`${within} wait --for=condition=complete job/once --timeout=60s`));
  await step('a CronJob starts Jobs', () =>
    kubectl.until(
      `${within} get cronjob often -o jsonpath={.status.lastSuccessfulTime}`,
      (output) => /^\d{4}-/.test(output),
      120,
    ),
  );
  await step('a role is put together', () =>
    kubectl.until('get clusterrole e2e-total -o jsonpath={.rules[*].resources[*]}', is('pods'), 20),
  );
  await step('a pod is evicted and replaced', async () => {
    const victim = await kubectl.do(`${within} get pods -l app=web -o jsonpath={.items[0].metadata.name}`);
    await kubectl.do(`${within} delete pod ${victim} --wait=true`);
    await kubectl.do(`${within} rollout status deployment/web --timeout=60s`);
  });
  await step('a Deployment goes with all that it owned', async () => {
    await kubectl.do(`${within} delete deployment web`);
    await kubectl.until(`${within} get replicasets,pods -l app=web -o name`, empty, 60);
  });
  await step('a namespace is removed with its contents', async () => {
    await kubectl.do(`delete namespace ${namespace} --timeout=120s`);
    await kubectl.until(
      `${within} get pods,statefulsets,daemonsets,jobs,cronjobs,services,endpointslices -o name`,
      empty,
      10,
    );
    await kubectl.do('delete clusterrole e2e-total e2e-part');
  });
}
