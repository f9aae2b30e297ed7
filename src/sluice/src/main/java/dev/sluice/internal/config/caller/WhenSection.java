package dev.sluice.internal.config.caller;

import dev.sluice.Condition;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.value.Zones;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.internal.match.condition.DescribedCondition;
import dev.sluice.internal.match.condition.ExpectedValues;
import dev.sluice.internal.match.condition.Schedule;
import dev.sluice.internal.match.condition.Schedule.Hours;
import dev.sluice.internal.match.condition.SubjectCondition;
import dev.sluice.internal.match.condition.SubjectCondition.Expected;
import dev.sluice.internal.match.condition.SubjectCondition.Presence;
import dev.sluice.internal.match.condition.WallClock;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.limits.SubjectSource;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code when} key of an endpoint. The key has four fixed subkeys. Every other subkey is a subject name. All
 * conditions must be met.
 *
 * @param zoneOfFile the time zone of hours and days if {@code when} does not specify one
 */
public record WhenSection(SubjectsSection subjects, boolean caseSensitive, ZoneId zoneOfFile) {

    private static final String EXAMPLE = "{ country: [ FR, DE ], between: \"01:00-06:00\" }";
    private static final String VALUE = "partner-*";
    private static final Shape<String> ONE =
            Shapes.text("a value, a list of values, present or absent", VALUE).then((text, findings) -> text.content());

    /**
     * Returns the condition of an endpoint with these paths; {@link Condition#ALWAYS} if the endpoint has no condition.
     *
     * @param onMethods whether the endpoint limits methods of the application; such an endpoint has no paths
     */
    public Condition read(Section endpoint, @Nullable EndpointPaths paths, boolean onMethods) {
        Shape<Condition> conditions =
                Section.shape(EXAMPLE, (keys, findings) -> conditions(keys, paths, onMethods, findings));
        return endpoint.optional("when", conditions, Condition.ALWAYS);
    }

    private Condition conditions(Section keys, @Nullable EndpointPaths paths, boolean onMethods, Findings findings) {
        List<DescribedCondition> conditions = new ArrayList<>();
        Expected country = keys.optional("country", expected(ScheduleShapes.COUNTRY, "FR", false));
        if (country != null) {
            conditions.add(new SubjectCondition("country", List.of(subjects.country()), country));
        }
        Hours hours = keys.optional("between", ScheduleShapes.HOURS, Hours.ALL);
        Set<DayOfWeek> days = keys.optional("days", ScheduleShapes.DAYS, Set.of(DayOfWeek.values()));
        ZoneId zone = keys.optional("zone", Zones.ZONE, zoneOfFile);
        // A schedule that covers all hours and days always matches, so it is omitted.
        if (!hours.areWholeDay() || days.size() < 7) {
            conditions.add(new Schedule(hours, days, new WallClock(zone)));
        }
        for (String name : keys.others(subjects.words())) {
            List<SubjectSource> chain = subjects.find(name);
            Expected value = chain == null ? null : keys.optional(name, expected(chain));
            if (SubjectsSection.refuseLogin(chain, "a condition is checked", keys.position(name), findings)) {
                continue;
            }
            if (chain != null && value != null) {
                conditions.add(new SubjectCondition(name, bound(chain, paths), value));
                subjects.checkSources(new KeySubjects(List.of(name), keys.position(name)), paths, onMethods, findings);
            }
        }
        return DescribedCondition.all(conditions);
    }

    private List<SubjectSource> bound(List<SubjectSource> chain, @Nullable EndpointPaths paths) {
        return paths == null
                ? chain
                : chain.stream()
                        .map(source -> SubjectSources.bind(source, paths))
                        .toList();
    }

    private Shape<Expected> expected(List<SubjectSource> chain) {
        return SubjectsSection.hiddenIfSecret(
                chain, expected(subjects.values.restrict(chain, ONE), VALUE, SubjectSources.areAddresses(chain)));
    }

    /** Returns the shape of an expectation: {@code present}, {@code absent}, a value, or a list of values. */
    private static Shape<Expected> expected(Shape<String> one, String example, boolean areAddresses) {
        Shape<Expected> values = Shapes.oneOrMore(
                        one, "[ " + example + " ]", "write at least one value, or remove the key")
                .then((listed, findings) -> new ExpectedValues(listed, areAddresses));
        return (value, findings) -> {
            if (value instanceof Text text && text.content().equals("present")) {
                return Presence.PRESENT;
            }
            if (value instanceof Text text && text.content().equals("absent")) {
                return Presence.ABSENT;
            }
            return values.read(value, findings);
        };
    }
}
