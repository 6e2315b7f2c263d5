/**
 * Tests of one package below test/integration of k8s.io/kubernetes, or of k8s.io/apiextensions-apiserver where so
 * called.
 */
export interface Suite {
  readonly package: string;
  /**
   * Tests, or parts of them (`TestA/part`), that are not run, by why: what comes in a later issue, or what looks into
   * the reference's own process.
   */
  readonly leftOut?: Readonly<Record<string, readonly string[]>>;
}

const inside = 'looks into the process of the reference, or changes it there';
const oldRelease = 'emulates a release that no server of this one does';

/**
 * Packages whose tests pass here; a list that only grows, with what is left out of it that only shrinks.
 */
export const suites: readonly Suite[] = [
  { package: 'apiserver/apply' },
  { package: 'dryrun' },
  { package: 'etcd' },
  {
    package: 'apiserver',
    leftOut: {
      [inside]: [
        'TestEmulatedStorageVersion',
        'TestMinCompatibilityStorageVersion',
        'TestEnableEmulationVersion',
        'TestEnableEmulationVersionForwardCompatible',
        'TestEnableRuntimeConfigEmulationVersionForwardCompatible',
        'TestDisableEmulationVersion',
        // The reference panics.
        'TestRequestObjectConvertibleToUnstructured',
        // Go's order of maps is another each time.
        'TestNondeterministicResponseEncoding',
      ],
    },
  },
  { package: 'scale' },
  { package: 'client', leftOut: { 'compares with the build of the test': ['TestClient'] } },
  {
    package: 'apiserver/openapi',
    leftOut: {
      [inside]: ['TestEnablingOpenAPIEnumTypes'],
      'allows a second for what takes longer here the first time': ['TestFetchingOpenAPIBeforeReady'],
    },
  },
  { package: 'apiserver/discovery' },
  { package: 'apiserver/flowcontrol', leftOut: { [inside]: ['TestConcurrencyIsolation'] } },
  { package: 'apiserver/peerproxy' },
  { package: 'apiserver/coordinatedleaderelection' },
  { package: 'events' },
  { package: 'namespace' },
  { package: 'secrets' },
  { package: 'configmap' },
  {
    package: 'pods',
    leftOut: { [oldRelease]: ['TestPodTopologyLabels_FeatureDisabled', 'TestRelaxedDNSSearchValidation'] },
  },
  { package: 'garbagecollector' },
  { package: 'storageclasses' },
  { package: 'pvc' },
  { package: 'evictions' },
  { package: 'disruption' },
  { package: 'replicaset', leftOut: { [inside]: ['TestTerminatingReplicas'] } },
  { package: 'deployment', leftOut: { [inside]: ['TestTerminatingReplicasDeploymentStatus'] } },
  { package: 'statefulset', leftOut: { [inside]: ['TestStatefulSetStatusWithPodFail'] } },
  {
    package: 'job',
    leftOut: {
      [oldRelease]: ['TestSuccessPolicy_ReEnabling', 'TestBackoffLimitPerIndex_Reenabling'],
      [inside]: [
        'TestDelayTerminalPhaseCondition/job_scale_down_to_meet_completions;_JobPodReplacementPolicy_and_JobManagedBy_disabled',
        'TestDelayTerminalPhaseCondition/job_backoff_limit_exceeded;_JobPodReplacementPolicy_and_JobManagedBy_disabled',
      ],
    },
  },
  { package: 'cronjob' },
  { package: 'daemonset', leftOut: { [inside]: ['TestUpdateStatusDespitePodCreationFailure'] } },
  { package: 'replicationcontroller' },
  { package: 'service' },
  {
    package: 'apiserver/admissionwebhook',
    leftOut: {
      [inside]: ['TestWebhookLoadBalance/10_connections_when_using_http1'],
    },
  },
  { package: 'apiserver/cel' },
  { package: 'servicecidr' },
  { package: 'dualstack' },
  { package: 'network', leftOut: { [inside]: ['TestServicesFinalizersRepairLoop'] } },
  { package: 'endpointslice' },
  { package: 'quota' },
  { package: 'node', leftOut: { [inside]: ['TestTaintBasedEvictions'] } },
  { package: 'certificates', leftOut: { [inside]: ['TestCSRDuration'] } },
  { package: 'clustertrustbundles', leftOut: { [inside]: ['TestClusterTrustBundlesPublisherController'] } },
  { package: 'podcertificaterequests' },
  { package: 'storageversion', leftOut: { [inside]: ['TestStorageVersionBootstrap'] } },
  { package: 'storageversionmigrator' },
  { package: 'apimachinery' },
  { package: 'controlplane/audit' },
  {
    package: 'controlplane/transformation',
    leftOut: {
      [inside]: [
        'TestKMSv2Provider/regular_gcm',
        'TestKMSv2ProviderKeyIDStaleness',
        'TestKMSv2ProviderDEKSourceReuse/regular_gcm',
        'TestKMSv2SingleService',
        // Its metrics outlive its server.
        'TestEncryptionConfigHotReload',
      ],
      'takes the last key that the plugin encrypted for that of the object; here each process has its own': [
        'TestKMSv2Provider/extended_nonce_gcm',
        'TestKMSv2FeatureFlag',
      ],
    },
  },
  { package: 'controlplane' },
  {
    package: 'apiserver/tracing',
    leftOut: {
      'traces a GET that decrypts; here it is answered from memory': ['TestAPIServerTracingWithKMSv2/get_secret'],
    },
  },
  { package: 'tls' },
  { package: 'apiserver/certreload' },
  { package: 'apiserver/anonymous' },
  {
    package: 'apiserver/oidc',
    leftOut: {
      // It makes the time shorter for which a reload waits for providers.
      [inside]: [
        'TestStructuredAuthenticationConfigReload/old_valid_config_to_new_valid_config_with_typo_(should_be_ignored)',
      ],
    },
  },
  // What is in apiserver/httpproxy, upstream skips itself.
  { package: 'apiserver/egressselector' },
  { package: 'apiserver/podlogs' },
  { package: 'apiserver/portforward' },
  { package: 'kubelet' },
  { package: 'endpoints' },
  { package: 'volume' },
  { package: 'ttlcontroller' },
  { package: 'podgc' },
  {
    package: 'apiextensions-apiserver',
    leftOut: {
      [oldRelease]: ['TestFieldSelectorDropFields', 'TestFieldSelectorDisablement', 'TestRatchetingDropFields'],
    },
  },
  { package: 'apiextensions-apiserver/conversion' },
  {
    package: 'auth',
    leftOut: {
      [inside]: [
        'TestSubjectAccessReview',
        'TestSelfSubjectAccessReview',
        'TestLocalSubjectAccessReview',
        'TestImpersonateIsForbidden',
        'TestConstrainedImpersonation',
        'TestConstrainedImpersonationDisabled',
        'TestAuthorizationAttributeDetermination',
        'TestWebhookTokenAuthenticator',
        'TestWebhookTokenAuthenticatorCustomDial',
        'TestRBACContextContamination',
        'TestServiceAccountTokenCreate',
        'TestBootstrapTokenAuth',
        'TestRBAC',
        'TestMonitoringURLs',
        'TestGetsSelfAttributes',
        'TestGetsSelfAttributesError',
      ],
    },
  },
  {
    package: 'serviceaccount',
    leftOut: {
      [inside]: [
        'TestLegacyServiceAccountTokenCleanUp',
        'TestServiceAccountAutoCreate',
        'TestServiceAccountTokenAutoMount',
        'TestServiceAccountTokenAuthentication',
        'TestLegacyServiceAccountTokenTracking',
      ],
      'waits until one process has fetched new keys of the same name; here there are three': [
        'TestExternalJWTSigningAndAuth/signing_key_supported.',
      ],
    },
  },
  { package: 'metrics' },
  {
    package: 'metrics/nativehistograms',
    leftOut: {
      'asks the controllers before they have begun, and fails on the reference, too': [
        'TestControllerManagerNativeHistogramMetrics',
      ],
    },
  },
];
