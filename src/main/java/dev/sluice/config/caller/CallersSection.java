package dev.sluice.config.caller;

import dev.sluice.SubjectResolver;
import dev.sluice.config.shape.Section;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.match.caller.AddressRange;
import dev.sluice.match.caller.CallerAddress;
import dev.sluice.match.caller.Countries;
import dev.sluice.match.caller.SubjectSources;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys {@code trustedProxies}, {@code ipv6Prefix} and {@code country}: where calls come from. */
public final class CallersSection {

    private static final String COUNTRY_EXAMPLE = "\"header:CF-IPCountry\"";
    private static final String DATABASE_EXAMPLE = "{ database: /etc/geoip/GeoLite2-Country.mmdb }";

    private CallersSection() {}

    /**
     * The sources of subjects in this file.
     *
     * @param server this instance's name
     * @param resolvers the application's own, by name
     * @param unbelieved is run when a call says where it comes from and the file trusts nobody to say so
     */
    public static SubjectSources read(
            Section file, String server, Map<String, SubjectResolver> resolvers, Runnable unbelieved) {
        List<AddressRange> trusted =
                file.optional("trustedProxies", Shapes.anyListOf(CallersSection::range, "[ 10.0.0.0/8 ]"), List.of());
        int prefix =
                file.optional("ipv6Prefix", Shapes.wholeNumber(1, 128), 64L).intValue();
        CallerAddress address = new CallerAddress(trusted, prefix, unbelieved);
        SubjectResolver country = file.optional(
                "country", (value, findings) -> country(value, address, findings), Countries.ofHeader("CF-IPCountry"));
        return new SubjectSources(server, address, country, resolvers);
    }

    private static @Nullable AddressRange range(Value value, Findings findings) {
        Text text = Shapes.text("an address or a network", "10.0.0.0/8").read(value, findings);
        if (text == null) {
            return null;
        }
        try {
            return AddressRange.parse(text.content());
        } catch (IllegalArgumentException e) {
            String why = text.style() == Text.Style.SUBSTITUTED ? "write one such as 10.0.0.0/8" : e.getMessage();
            findings.add(ProblemCode.NOT_AN_ADDRESS, text, " is neither an address nor a network; " + why);
            return null;
        }
    }

    private static @Nullable SubjectResolver country(Value value, CallerAddress address, Findings findings) {
        if (value instanceof Value.Fields map) {
            try (Section keys = Section.of(map, findings)) {
                return keys.required(
                        "database",
                        (path, problems) -> database(path, address, problems),
                        "database: /etc/geoip/GeoLite2-Country.mmdb");
            }
        }
        Text text = Shapes.text("a header or a database", COUNTRY_EXAMPLE).read(value, findings);
        if (text == null) {
            return null;
        }
        String header = text.content().startsWith("header:")
                ? text.content().substring("header:".length()).strip()
                : "";
        if (header.isEmpty()) {
            findings.add(
                    ProblemCode.NO_COUNTRIES,
                    text,
                    " is not a source of countries; write " + COUNTRY_EXAMPLE + " or " + DATABASE_EXAMPLE);
            return null;
        }
        return Countries.ofHeader(header);
    }

    private static @Nullable SubjectResolver database(Value value, CallerAddress address, Findings findings) {
        Text text = Shapes.text("a path", "/etc/geoip/GeoLite2-Country.mmdb").read(value, findings);
        if (text == null) {
            return null;
        }
        try {
            return Countries.ofAddress(address, CountryDatabase.open(text.content()));
        } catch (CountryDatabase.Unusable e) {
            findings.add(ProblemCode.NO_COUNTRIES, text, " cannot be used: " + e.getMessage());
            return null;
        } catch (NoClassDefFoundError e) {
            findings.add(
                    ProblemCode.NO_COUNTRIES,
                    text.position(),
                    "a database needs MaxMind's reader, which is not on the class path; add the dependency "
                            + "com.maxmind.geoip2:geoip2");
            return null;
        }
    }
}
