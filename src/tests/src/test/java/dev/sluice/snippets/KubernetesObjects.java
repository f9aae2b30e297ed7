package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** The manifests of a page, and whether a {@code kubectl} command suits them. */
record KubernetesObjects(List<Map<?, ?>> objects, String page) {

    private static final Map<String, String> KINDS = Map.of("deploy", "Deployment", "svc", "Service");

    static KubernetesObjects of(Path page) {
        List<Map<?, ?>> objects = Snippet.in("yaml").stream()
                .filter(snippet -> snippet.page().equals(page) && snippet.text().startsWith("apiVersion:"))
                .flatMap(snippet -> Stream.of(snippet.text().split("(?m)^---\n", -1)))
                .<Map<?, ?>>map(text -> new Yaml().load(text))
                .toList();
        return new KubernetesObjects(objects, Snippet.read(page));
    }

    /** The object of a command is one of the manifests, and its port one of that object's. */
    void assertHas(List<String> words) throws Exception {
        assertThat(words.get(1)).isIn("port-forward", "logs");
        String[] target = words.get(2).split("/", -1);
        Map<?, ?> object = object(KINDS.get(target[0]), target[1]);
        if (words.get(1).equals("port-forward")) {
            assertThat(object.toString()).containsPattern("(containerPort|port)=" + words.get(3) + "\\b");
        }
        int grep = words.indexOf("grep");
        if (grep > 0) {
            for (String message : words.get(words.size() - 1).split("\\|", -1)) {
                assertThat(isLogged(message)).as(message).isTrue();
            }
        }
        assertUnderstood(grep > 0 ? words.subList(0, grep - 1) : words);
    }

    private Map<?, ?> object(String kind, String name) {
        return objects.stream()
                .filter(object -> kind.equals(object.get("kind"))
                        && name.equals(((Map<?, ?>) object.get("metadata")).get("name")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name + " in the manifests of the page"));
    }

    private static boolean isLogged(String message) throws Exception {
        Pattern text = Pattern.compile(Pattern.quote(message));
        try (Stream<Path> sources = Files.walk(Path.of("src", "sluice", "src", "main", "java"))) {
            return sources.filter(source -> source.toString().endsWith(".java"))
                    .anyMatch(source -> text.matcher(Snippet.read(source)).find());
        }
    }

    /** If there is a {@code kubectl}, the command gets as far as asking a cluster. */
    private static void assertUnderstood(List<String> words) throws Exception {
        boolean isThere = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kubectl")));
        if (isThere) {
            List<String> command = new ArrayList<>(words);
            command.remove("&");
            command.addAll(1, List.of("--server=http://127.0.0.1:1", "--request-timeout=1s"));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said).contains("127.0.0.1:1 was refused");
        }
    }

    /** The texts of all ConfigMaps. */
    List<String> files() {
        return objects.stream()
                .filter(object -> "ConfigMap".equals(object.get("kind")))
                .flatMap(object -> in(object, "data").values().stream())
                .map(String::valueOf)
                .toList();
    }

    /** The ConfigMap that the Deployment mounts. */
    private Map<?, ?> limits() {
        Map<?, ?> volume = first(pod(), "volumes");
        return object("ConfigMap", (String) ((Map<?, ?>) volume.get("configMap")).get("name"));
    }

    private Map<?, ?> pod() {
        return in(object("Deployment", "shop"), "spec", "template", "spec");
    }

    /** Checks that the parts refer only to names that exist in the other parts. */
    void assertFitTogether() {
        for (Map<?, ?> object : objects) {
            assertThat(object.containsKey("kind")).isTrue();
            if ("Deployment".equals(object.get("kind"))) {
                assertThat(in(object, "spec", "template", "metadata", "labels"))
                        .isEqualTo(in(object, "spec", "selector", "matchLabels"));
            }
        }
        assertThat(in(object("Service", "redis"), "spec", "selector"))
                .isEqualTo(in(object("Deployment", "redis"), "spec", "selector", "matchLabels"));
        Map<?, ?> container = first(pod(), "containers");
        Map<?, ?> mount = first(container, "volumeMounts");
        assertThat(mount.get("name")).isEqualTo(first(pod(), "volumes").get("name"));
        assertThat(mount.containsKey("subPath")).isFalse();
        Object file = in(limits(), "data").keySet().iterator().next();
        assertThat(page).contains("`" + mount.get("mountPath") + "/" + file + "`");
        Object port = first(container, "ports").get("containerPort");
        assertThat(in(container, "readinessProbe", "httpGet").get("port")).isEqualTo(port);
        assertThat(in(container, "livenessProbe", "httpGet").get("port")).isEqualTo(port);
        Map<?, ?> secret = in(first(container, "env"), "valueFrom", "secretKeyRef");
        assertThat(in(object("Secret", (String) secret.get("name")), "stringData")
                        .containsKey(secret.get("key")))
                .isTrue();
    }

    private static Map<?, ?> in(Map<?, ?> object, String... keys) {
        Map<?, ?> at = object;
        for (String key : keys) {
            at = (Map<?, ?>) at.get(key);
        }
        return at;
    }

    private static Map<?, ?> first(Map<?, ?> object, String key) {
        return (Map<?, ?>) ((List<?>) object.get(key)).get(0);
    }
}
