package dev.sluice.spring;

import dev.sluice.spring.start.StartFailure;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Rejects unknown properties under {@code sluice}. If a misspelt {@code sluice.store} were ignored, for example, each
 * instance would count alone. Environment variables and system properties are not checked, because the file can refer
 * to any of them, as in {@code ${SLUICE_KEY}}.
 */
final class UnknownProperties {

    /** All known properties, except those under {@code sluice.limits}, which are checked when the limits are read. */
    static final Set<String> KNOWN = Set.of(
            "sluice.enabled",
            "sluice.config",
            "sluice.store",
            "sluice.server",
            "sluice.filter.enabled",
            "sluice.filter.order",
            "sluice.filter.parking",
            "sluice.health.store-unavailable",
            "sluice.metrics.clients");

    private static final ConfigurationPropertyName ALL = ConfigurationPropertyName.of("sluice");
    private static final ConfigurationPropertyName LIMITS = ConfigurationPropertyName.of(PropertyLimits.NAME);
    private static final Set<ConfigurationPropertyName> NAMES =
            KNOWN.stream().map(ConfigurationPropertyName::of).collect(Collectors.toUnmodifiableSet());

    private UnknownProperties() {}

    /**
     * Checks all properties.
     *
     * @throws StartFailure if a property is unknown
     */
    static void refuse(Environment environment) {
        Map<String, String> unknown = new TreeMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable && !isOfProcess(source)) {
                iterable.stream().filter(UnknownProperties::isUnknown).forEach(name -> {
                    ConfigurationProperty property = source.getConfigurationProperty(name);
                    unknown.putIfAbsent(
                            name.toString(), PropertyPlace.of(property == null ? null : property.getOrigin()));
                });
            }
        }
        if (!unknown.isEmpty()) {
            throw new StartFailure(
                    "The rate limiter does not know these properties:\n\n"
                            + unknown.entrySet().stream()
                                    .map(one -> "    " + one.getValue() + ' ' + one.getKey())
                                    .collect(Collectors.joining("\n")),
                    "Correct or remove them. Known properties are "
                            + String.join(", ", KNOWN.stream().sorted().toList())
                            + "; the keys of rate-limits.yml belong below sluice.limits.",
                    null);
        }
    }

    private static boolean isUnknown(ConfigurationPropertyName name) {
        return ALL.isAncestorOf(name) && !NAMES.contains(name) && !LIMITS.equals(name) && !LIMITS.isAncestorOf(name);
    }

    private static boolean isOfProcess(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && Set.of(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)
                        .contains(underlying.getName());
    }
}
