import { container, labels, selector, template, recordedRequest, type RecordedRequest } from './recorded-request.ts';

/** Of workloads and of the core group. */
export const workloadRequests: readonly RecordedRequest[] = [
  recordedRequest('apps', 'v1', 'deployments', 'Deployment', { spec: { selector, template } }),
  recordedRequest('apps', 'v1', 'deployments', 'Deployment', {
    spec: {
      replicas: -1,
      selector: { matchLabels: { other: 'x' } },
      template,
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } },
    },
  }),
  recordedRequest('apps', 'v1', 'daemonsets', 'DaemonSet', { spec: { selector, template } }),
  recordedRequest('apps', 'v1', 'statefulsets', 'StatefulSet', {
    spec: {
      selector,
      template,
      serviceName: 's',
      volumeClaimTemplates: [
        {
          metadata: { name: 'd' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  }),
  recordedRequest('batch', 'v1', 'cronjobs', 'CronJob', {
    spec: {
      schedule: '61 * * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    },
  }),
  recordedRequest('batch', 'v1', 'cronjobs', 'CronJob', {
    spec: {
      schedule: '@hourly',
      timeZone: 'Europe/Berlin',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    },
  }),
  recordedRequest('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      behavior: { scaleUp: {} },
    },
  }),
  recordedRequest('', 'v1', 'limitranges', 'LimitRange', {
    spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' } }] },
  }),
  recordedRequest('', 'v1', 'limitranges', 'LimitRange', {
    spec: {
      limits: [
        { type: 'Container', max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '500m' } },
        { type: 'Container' },
        { type: 'odd' },
      ],
    },
  }),
  recordedRequest('', 'v1', 'resourcequotas', 'ResourceQuota', {
    spec: { hard: { 'requests.cpu': '1', pods: '2' }, scopes: ['BestEffort', 'Terminating', 'NotTerminating'] },
  }),
  recordedRequest('', 'v1', 'endpoints', 'Endpoints', {
    subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }],
  }),
  recordedRequest('', 'v1', 'endpoints', 'Endpoints', {
    subsets: [{ addresses: [{ ip: '127.0.0.1', hostname: 'A' }] }, { ports: [{ port: 1 }] }],
  }),
  recordedRequest('', 'v1', 'podtemplates', 'PodTemplate', {
    template: {
      spec: {
        containers: [{ ...container, livenessProbe: { httpGet: { port: 80 } }, ports: [{ containerPort: 80 }] }],
        hostNetwork: true,
        volumes: [{ name: 'v', secret: { secretName: 's' } }, { name: 'w' }],
      },
    },
  }),
  recordedRequest('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', {
    spec: { minAvailable: '101%', selector },
  }),
  recordedRequest('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    spec: {
      minReplicas: 0,
      maxReplicas: -1,
      scaleTargetRef: { apiVersion: 'a/b/c', kind: 'a/b', name: 'n%' },
      metrics: [
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'Service', name: 's' },
            metric: { name: 'm' },
            target: { type: 'Utilization', value: '0' },
          },
          pods: { metric: { name: 'm' }, target: { type: '', averageValue: '-1' } },
        },
        {
          type: 'ContainerResource',
          containerResource: {
            name: 'odd',
            container: 'C',
            target: { type: 'Utilization', averageUtilization: 0, averageValue: '1' },
          },
        },
      ],
    },
  }),
  recordedRequest('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    spec: {
      maxReplicas: 1,
      scaleTargetRef: { kind: 'ReplicationController', name: 'n' },
      metrics: [
        { type: '' },
        {
          type: 'External',
          external: { metric: { name: 'a' }, target: { type: 'Value', value: '1', averageValue: '1' } },
        },
      ],
      behavior: {
        scaleUp: { selectPolicy: 'Odd', policies: [], stabilizationWindowSeconds: -1, tolerance: '-1' },
        scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1801 }] },
      },
    },
  }),
  recordedRequest('apps', 'v1', 'daemonsets', 'DaemonSet', {
    spec: { selector: { matchLabels: { app: '-x' } }, template, updateStrategy: { type: 'Odd', rollingUpdate: {} } },
  }),
  recordedRequest('apps', 'v1', 'daemonsets', 'DaemonSet', {
    spec: {
      selector,
      template,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '1', maxUnavailable: '10%' } },
    },
  }),
  recordedRequest('apps', 'v1', 'daemonsets', 'DaemonSet', {
    spec: {
      selector,
      template,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '200', maxUnavailable: '200%' } },
    },
  }),
  recordedRequest('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
    },
  }),
  recordedRequest('apps', 'v1', 'statefulsets', 'StatefulSet', {
    spec: {
      selector,
      serviceName: 's',
      template: { metadata: { labels: { ...labels, 'a b': '-' } }, spec: { containers: [container] } },
      volumeClaimTemplates: [{ metadata: { name: '' } }, { metadata: { name: '' } }],
    },
  }),
  recordedRequest('batch', 'v1', 'cronjobs', 'CronJob', {
    spec: {
      schedule: ', * * * *',
      jobTemplate: {
        spec: {
          selector,
          podReplacementPolicy: '',
          podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'a' }] }] },
          template: { spec: { restartPolicy: 'Never', containers: [container] } },
        },
      },
    },
  }),
  recordedRequest('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { kind: 'Odd', name: 'n' },
    },
  }),
  recordedRequest(
    '',
    'v1',
    'nodes',
    'Node',
    {
      spec: { podCIDRs: ['10.0.0.0/24', 'x'], configSource: {} },
      status: { declaredFeatures: ['b', 'A', 'A'], nodeInfo: { swap: { capacity: -1 } } },
    },
    false,
  ),
  recordedRequest('', 'v1', 'podtemplates', 'PodTemplate', {
    template: {
      spec: {
        preemptionPolicy: '',
        os: {},
        initContainers: [{}, {}],
        containers: [
          {
            ...container,
            volumeDevices: [{ name: '', devicePath: '/x' }],
            volumeMounts: [{ name: '', mountPath: '/y' }],
          },
        ],
        resourceClaims: [{ name: 'a', resourceClaimName: 'A', resourceClaimTemplateName: '' }],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'z',
            whenUnsatisfiable: 'DoNotSchedule',
            nodeAffinityPolicy: '',
            matchLabelKeys: ['a b'],
          },
        ],
      },
    },
  }),
  recordedRequest(
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        hostPath: { path: '/x' },
        cephfs: {},
        flexVolume: {},
        volumeMode: '',
        volumeAttributesClassName: '',
      },
    },
    false,
  ),
  recordedRequest('', 'v1', 'podtemplates', 'PodTemplate', {
    template: {
      spec: {
        containers: [container],
        volumes: [
          { name: 'a', csi: { driver: 'd.example.com/a' } },
          { name: 'b', csi: { driver: `D.${'x'.repeat(70)}`, nodePublishSecretRef: { name: 'A_' } } },
          { name: 'c', csi: { driver: 'd', nodePublishSecretRef: {} } },
          { name: 'd', csi: { driver: '' } },
        ],
      },
    },
  }),
  recordedRequest(
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: `D_.${'x'.repeat(70)}`, volumeHandle: 'h' },
      },
    },
    false,
  ),
  recordedRequest('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', {
    spec: { selector, unhealthyPodEvictionPolicy: '' },
  }),
];
