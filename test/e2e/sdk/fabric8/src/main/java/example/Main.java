package example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** What programs of fabric8's client do to the cluster that KUBECONFIG names; each line says what worked. */
public final class Main {
  private static final String NAME = "fabric8 " + System.getProperty("fabric8.version", "");

  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      String namespace = client.namespaces().resource(new NamespaceBuilder().withNewMetadata().withGenerateName("sdk-fabric8-").endMetadata().build()).create().getMetadata().getName();
      NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps = client.configMaps().inNamespace(namespace);
      typed(maps);
      System.out.println("ok " + NAME + ": typed objects are created, read, listed, replaced, applied and deleted");
      watched(maps);
      System.out.println("ok " + NAME + ": a watch tells each change");
      String restarts = System.getenv("SDK_RESTART");
      if (restarts == null) System.out.println("!!! LEFT OUT: " + NAME + " over a restart, for this cluster is not the suite's own");
      else {
        informed(maps, restarts);
        System.out.println("ok " + NAME + ": an informer goes on behind a restart");
      }
      client.namespaces().withName(namespace).delete();
    }
    System.exit(0);
  }

  private static ConfigMap configMap(String name, String value) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).addToLabels("from", "fabric8").endMetadata().addToData("a", value).build();
  }

  private static void typed(NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps) {
    ConfigMap made = maps.resource(configMap("typed", "1")).create();
    maps.resource(new ConfigMapBuilder(made).addToData("a", "2").build()).update();
    expect("2".equals(maps.withName("typed").get().getData().get("a")), "an object is read back");
    expect(maps.withLabel("from", "fabric8").list().getItems().size() == 1, "a list is selected");
    expect(maps.withName("missing").get() == null, "a missing object is not found");
    maps.resource(configMap("applied", "1")).serverSideApply();
    maps.withName("applied").delete();
    maps.withName("typed").delete();
    expect(maps.withName("typed").get() == null, "an object is deleted");
  }

  private static void watched(NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps) throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    Watcher<ConfigMap> watcher = new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap map) {
        if (map.getMetadata().getName().equals("watched")) seen.add(action.name());
      }

      @Override
      public void onClose(WatcherException cause) {
        seen.add("closed: " + cause);
      }
    };
    try (Watch watch = maps.watch(watcher)) {
      maps.resource(configMap("watched", "1")).create();
      maps.withName("watched").delete();
      until(() -> seen.contains("DELETED"), "the deletion is told");
      expect(List.of("ADDED", "DELETED").equals(seen), "a watch tells " + seen);
    }
  }

  private static void informed(NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps, String restarts) throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    try (var informer = maps.inform(new ResourceEventHandler<>() {
      @Override
      public void onAdd(ConfigMap map) {
        seen.add(map.getMetadata().getName());
      }

      @Override
      public void onUpdate(ConfigMap before, ConfigMap map) {}

      @Override
      public void onDelete(ConfigMap map, boolean isUnknown) {}
    })) {
      maps.resource(configMap("before", "1")).create();
      until(() -> seen.contains("before"), "an informer sees an object");
      String[] address = restarts.split(":");
      try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
        socket.getInputStream().readAllBytes();
      }
      maps.resource(configMap("after", "1")).create();
      until(() -> seen.contains("after"), "an informer sees an object behind the restart");
    }
  }

  private interface Condition {
    boolean holds();
  }

  private static void until(Condition condition, String text) throws InterruptedException {
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); !condition.holds(); Thread.sleep(20)) expect(System.nanoTime() < end, text);
  }

  private static void expect(boolean condition, String text) {
    if (condition) return;
    System.out.println("not ok " + NAME + ": " + text);
    System.exit(1);
  }
}
