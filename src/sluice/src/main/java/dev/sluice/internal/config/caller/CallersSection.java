package dev.sluice.internal.config.caller;

import dev.sluice.SubjectResolver;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.AddressRange;
import dev.sluice.internal.match.caller.CallerAddress;
import dev.sluice.internal.match.caller.CallerWarnings;
import dev.sluice.internal.match.caller.Countries;
import dev.sluice.internal.match.caller.SubjectSources;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code trustedProxies}, {@code ipv6Prefix} and {@code country} keys. These keys determine how Sluice finds
 * a caller's address and country.
 */
public final class CallersSection {

    private static final String COUNTRY_EXAMPLE = "\"header:CF-IPCountry\"";
    private static final String DATABASE = "/etc/geoip/GeoLite2-Country.mmdb";
    private static final String DATABASE_EXAMPLE = "{ database: " + DATABASE + " }";

    private static final Shape<AddressRange> RANGE =
            Shapes.text("an address or a network", "10.0.0.0/8").then(CallersSection::range);
    private static final Shape<SubjectResolver> HEADER =
            Shapes.text("a header or a database", COUNTRY_EXAMPLE).then(CallersSection::header);

    private CallersSection() {}

    /**
     * Returns the subject sources that this file can use.
     *
     * @param server the name of this instance
     * @param resolvers the application's resolvers, by name
     * @param warnings the receiver of warnings about callers at run time
     */
    public static SubjectSources read(
            Section file, String server, Map<String, SubjectResolver> resolvers, CallerWarnings warnings) {
        List<AddressRange> trusted =
                file.optional("trustedProxies", Shapes.anyListOf(RANGE, "[ 10.0.0.0/8 ]"), List.of());
        int prefix = file.optional("ipv6Prefix", Shapes.count(1, 128, 64), 64);
        CallerAddress address = new CallerAddress(trusted, prefix, warnings::ignoredForwarding);
        SubjectResolver country = file.optional("country", country(address), Countries.ofHeader("CF-IPCountry"));
        return new SubjectSources(server, address, country, resolvers, SecretsSection.read(file), warnings);
    }

    /** Parses an address or a network. If the text is neither, reports an error and returns {@code null}. */
    static @Nullable AddressRange range(Text text, Findings findings) {
        try {
            return AddressRange.parse(text.content());
        } catch (IllegalArgumentException e) {
            String why = text.isSubstituted() ? "write one such as 10.0.0.0/8" : e.getMessage();
            return findings.refuse(ProblemCode.NOT_AN_ADDRESS, text, " is neither an address nor a network; " + why);
        }
    }

    private static Shape<SubjectResolver> country(CallerAddress address) {
        Shape<SubjectResolver> path =
                Shapes.text("a path", DATABASE).then((text, findings) -> database(text, address, findings));
        Shape<SubjectResolver> map = Section.shape(
                DATABASE_EXAMPLE, (keys, findings) -> keys.required("database", path, "database: " + DATABASE));
        return (value, findings) -> (value instanceof Value.Fields ? map : HEADER).read(value, findings);
    }

    private static @Nullable SubjectResolver header(Text text, Findings findings) {
        String header = text.content().startsWith("header:")
                ? text.content().substring("header:".length()).strip()
                : "";
        return header.isEmpty()
                ? findings.refuse(
                        ProblemCode.NO_COUNTRIES,
                        text,
                        " is not a country source; write " + COUNTRY_EXAMPLE + " or " + DATABASE_EXAMPLE)
                : Countries.ofHeader(header);
    }

    private static @Nullable SubjectResolver database(Text text, CallerAddress address, Findings findings) {
        try {
            return Countries.ofAddress(address, CountryDatabase.open(text.content())::find);
        } catch (CountryDatabase.UnusableException e) {
            return findings.refuse(ProblemCode.NO_COUNTRIES, text, " cannot be used: " + e.getMessage());
        } catch (NoClassDefFoundError e) {
            return findings.refuse(
                    ProblemCode.NO_COUNTRIES,
                    text.position(),
                    "a database needs MaxMind's reader, which is not on the class path; add the dependency "
                            + "com.maxmind.geoip2:geoip2");
        }
    }
}
