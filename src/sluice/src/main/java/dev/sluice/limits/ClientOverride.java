package dev.sluice.limits;

/**
 * A limit that was set outside the file for one client, or for all clients on one plan. It either applies to one
 * endpoint, or is a factor for all endpoints. A client's own override for an endpoint takes precedence over the
 * override of its plan. The values are not validated. Immutable and thread-safe.
 *
 * @param subject the subject that identifies the client, for example {@code tenant}, or {@link #PLAN}
 * @param value the value of the subject, or the name of the plan in the file
 * @param endpoint the endpoint id, or {@link #ALL_ENDPOINTS}
 * @param tiers the limits, for example {@code 100/1s,5000/10s}, or a factor such as {@code x2} for the limits that
 *     would apply without the override
 */
public record ClientOverride(String subject, String value, String endpoint, String tiers) {

    /** The endpoint of an override that applies to all endpoints. */
    public static final String ALL_ENDPOINTS = "*";

    /** The subject of an override that applies to every caller on a plan. No real subject can have this name. */
    public static final String PLAN = "plan";

    /** Returns an override that applies to every caller on this plan. */
    public static ClientOverride ofPlan(String plan, String endpoint, String tiers) {
        return new ClientOverride(PLAN, plan, endpoint, tiers);
    }

    /** Whether this override applies to every caller on a plan. */
    public boolean isOfPlan() {
        return subject.equals(PLAN);
    }

    /** Returns a copy without limits. The copy serves as a key to remove or look up this override. */
    public ClientOverride withoutTiers() {
        return new ClientOverride(subject, value, endpoint, "");
    }

    /** Returns a copy that applies to the given endpoint. */
    public ClientOverride at(String other) {
        return new ClientOverride(subject, value, other, tiers);
    }
}
