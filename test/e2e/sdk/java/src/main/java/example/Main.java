package example;

import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import java.io.FileReader;
import java.lang.reflect.Type;
import java.net.Socket;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What programs of the Java client do to the cluster that KUBECONFIG names; each line says what worked. */
public final class Main {
  private interface Call {
    void run() throws ApiException;
  }

  public static void main(String[] args) throws Exception {
    ApiClient api = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new FileReader(System.getenv("KUBECONFIG")))).build();
    api.setHttpClient(api.getHttpClient().newBuilder().readTimeout(30, TimeUnit.SECONDS).build());
    CoreV1Api core = new CoreV1Api(api);
    String namespace = core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().generateName("sdk-java-"))).execute().getMetadata().getName();
    typed(core, namespace);
    System.out.println("ok java: typed objects are created, read, listed and replaced");
    patched(api, core, namespace);
    System.out.println("ok java: objects are patched and applied");
    watched(api, core, namespace);
    System.out.println("ok java: a watch tells each change");
    KubeConfig config = KubeConfig.loadKubeConfig(new FileReader(System.getenv("KUBECONFIG")));
    for (HttpClient.Version version : HttpClient.Version.values()) {
      expect(ExpectContinue.statusOver(version, config, core, namespace) == 201, "a body is asked for over " + version);
      System.out.println("ok java: the JDK's client is asked for its body over " + version);
    }
    String restarts = System.getenv("SDK_RESTART");
    if (restarts == null) System.out.println("!!! LEFT OUT: java over a restart, for this cluster is not the suite's own");
    else {
      overARestart(api, core, namespace, restarts);
      System.out.println("ok java: a watch ends cleanly at a shutdown and goes on after the start");
    }
    core.deleteNamespace(namespace).execute();
    System.exit(0);
  }

  private static V1ConfigMap configMap(String name, String value) {
    return new V1ConfigMap().apiVersion("v1").kind("ConfigMap").metadata(new V1ObjectMeta().name(name).putLabelsItem("from", "java")).putDataItem("a", value);
  }

  private static void typed(CoreV1Api core, String namespace) throws ApiException {
    V1ConfigMap made = core.createNamespacedConfigMap(namespace, configMap("typed", "1")).execute();
    made.putDataItem("a", "2");
    core.replaceNamespacedConfigMap("typed", namespace, made).execute();
    made.putDataItem("a", "3");
    expect(statusOf(() -> core.replaceNamespacedConfigMap("typed", namespace, made).execute()) == 409, "an old version is a conflict");
    expect("2".equals(core.readNamespacedConfigMap("typed", namespace).execute().getData().get("a")), "an object is read back");
    expect(core.listNamespacedConfigMap(namespace).labelSelector("from=java").execute().getItems().size() == 1, "a list is selected");
    expect(statusOf(() -> core.readNamespacedConfigMap("missing", namespace).execute()) == 404, "what is missing is not found");
  }

  private static void patched(ApiClient api, CoreV1Api core, String namespace) throws ApiException {
    V1ConfigMap merged = patch(api, core, namespace, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "typed", "{\"data\":{\"b\":\"3\"}}", null);
    expect(Map.of("a", "2", "b", "3").equals(merged.getData()), "a merge patch");
    String body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"applied\"},\"data\":{\"a\":\"%s\"}}";
    V1ConfigMap made = patch(api, core, namespace, V1Patch.PATCH_FORMAT_APPLY_YAML, "applied", body.formatted("1"), "one");
    expect(made.getMetadata().getUid() != null && Map.of("a", "1").equals(made.getData()), "apply creates");
    expect(statusOf(() -> patch(api, core, namespace, V1Patch.PATCH_FORMAT_APPLY_YAML, "applied", body.formatted("2"), "two")) == 409, "another's field is a conflict");
  }

  private static V1ConfigMap patch(ApiClient api, CoreV1Api core, String namespace, String format, String name, String body, String manager) throws ApiException {
    return PatchUtils.patch(V1ConfigMap.class, () -> core.patchNamespacedConfigMap(name, namespace, new V1Patch(body)).fieldManager(manager).buildCall(null), format, api);
  }

  private static void watched(ApiClient api, CoreV1Api core, String namespace) throws Exception {
    String version = core.listNamespacedConfigMap(namespace).execute().getMetadata().getResourceVersion();
    List<String> seen = new ArrayList<>();
    try (Watch<V1ConfigMap> watch = Watch.createWatch(api, core.listNamespacedConfigMap(namespace).resourceVersion(version).timeoutSeconds(20).watch(true).buildCall(null),
        new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
      core.createNamespacedConfigMap(namespace, configMap("watched", "1")).execute();
      core.deleteNamespacedConfigMap("watched", namespace).execute();
      for (Watch.Response<V1ConfigMap> event : watch) {
        seen.add(event.type);
        if (event.type.equals("DELETED")) break;
      }
    }
    expect(List.of("ADDED", "DELETED").equals(seen), "a watch tells " + seen);
  }

  private static void overARestart(ApiClient api, CoreV1Api core, String namespace, String restarts) throws Exception {
    String version = core.listNamespacedConfigMap(namespace).execute().getMetadata().getResourceVersion();
    Type type = new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType();
    try (Watch<V1ConfigMap> watch = Watch.createWatch(api, core.listNamespacedConfigMap(namespace).resourceVersion(version).watch(true).buildCall(null), type)) {
      String[] address = restarts.split(":");
      try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
        socket.getInputStream().readAllBytes();
      }
      expect(!watch.hasNext(), "a watch ends at the shutdown");
    }
    core.createNamespacedConfigMap(namespace, configMap("after", "1")).execute();
    try (Watch<V1ConfigMap> watch = Watch.createWatch(api, core.listNamespacedConfigMap(namespace).resourceVersion(version).timeoutSeconds(20).watch(true).buildCall(null), type)) {
      expect(watch.hasNext() && "after".equals(watch.next().object.getMetadata().getName()), "a watch goes on after the start");
    }
  }

  private static int statusOf(Call call) {
    try {
      call.run();
      return 200;
    } catch (ApiException error) {
      return error.getCode();
    }
  }

  private static void expect(boolean condition, String text) {
    if (condition) return;
    System.out.println("not ok java: " + text);
    System.exit(1);
  }
}
