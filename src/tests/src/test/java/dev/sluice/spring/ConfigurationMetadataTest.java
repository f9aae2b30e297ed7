package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The metadata for completion in {@code application.yml}. */
@Tag("server")
class ConfigurationMetadataTest {

    @Test
    void allPropertiesAreDescribed() throws IOException {
        Map<String, String> described = new TreeMap<>();
        for (URL metadata : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = metadata.openStream()) {
                for (JsonNode property : new ObjectMapper().readTree(in).get("properties")) {
                    String name = property.get("name").asText();
                    if (name.startsWith("sluice.")) {
                        described.put(name, property.path("description").asText());
                    }
                }
            }
        }
        Set<String> known = new TreeSet<>(UnknownProperties.KNOWN);
        known.add(PropertyLimits.NAME);
        assertThat(described.keySet())
                .filteredOn(name -> !name.matches("sluice\\.(filter|health|metrics)"))
                .containsExactlyElementsOf(known);
        assertThat(described.values()).noneMatch(String::isBlank);
    }
}
