package example;

import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.util.KubeConfig;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The JDK's own HTTP client, which sends a body only when it is asked to (`Expect: 100-continue`). */
final class ExpectContinue {
  private static final String REVIEW = "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}";

  private ExpectContinue() {}

  /** The status of a create over the protocol; a timeout is an exception. */
  static int statusOver(HttpClient.Version version, KubeConfig config, CoreV1Api core, String namespace) throws Exception {
    HttpClient client = HttpClient.newBuilder().version(version).sslContext(trusting(config.getCertificateAuthorityData())).build();
    URI uri = URI.create(config.getServer() + "/apis/authentication.k8s.io/v1/selfsubjectreviews");
    HttpRequest request = HttpRequest.newBuilder(uri).expectContinue(true).timeout(Duration.ofSeconds(10))
        .header("content-type", "application/json").header("authorization", "Bearer " + token(core, namespace, "jdk-" + version.ordinal()))
        .POST(HttpRequest.BodyPublishers.ofString(REVIEW)).build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    return response.version() == version ? response.statusCode() : 0;
  }

  private static String token(CoreV1Api core, String namespace, String name) throws Exception {
    core.createNamespacedServiceAccount(namespace, new V1ServiceAccount().metadata(new V1ObjectMeta().name(name))).execute();
    AuthenticationV1TokenRequest asked = new AuthenticationV1TokenRequest().spec(new V1TokenRequestSpec().audiences(List.of()));
    return core.createNamespacedServiceAccountToken(name, namespace, asked).execute().getStatus().getToken();
  }

  private static SSLContext trusting(String authorities) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int count = 0;
    for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(authorities))))
      store.setCertificateEntry("authority-" + count++, certificate);
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
