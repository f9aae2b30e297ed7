package dev.sluice.limits;

/**
 * A limit of one client, or of all clients of one plan, set outside the file: at one endpoint, or as a factor for all
 * endpoints. A client's own override at an endpoint comes before that of its plan. Not validated. Immutable and
 * thread-safe.
 *
 * @param subject the subject that identifies the client, for example {@code tenant}; or {@link #PLAN}
 * @param value the subject's value; or the name of the plan in the file
 * @param endpoint the endpoint's id, or {@link #ALL_ENDPOINTS}
 * @param tiers the limits, for example {@code 100/1s,5000/10s}; or a factor such as {@code x2} for the limits that
 *     apply otherwise
 */
public record ClientOverride(String subject, String value, String endpoint, String tiers) {

    /** Stands for all endpoints. */
    public static final String ALL_ENDPOINTS = "*";

    /** In place of a subject: the override is for every caller who has the plan. No subject has this name. */
    public static final String PLAN = "plan";

    /** An override for every caller who has this plan. */
    public static ClientOverride ofPlan(String plan, String endpoint, String tiers) {
        return new ClientOverride(PLAN, plan, endpoint, tiers);
    }

    /** Whether it is for every caller who has a plan. */
    public boolean isOfPlan() {
        return subject.equals(PLAN);
    }

    /** Identifies this override without its limits, to remove it or ask for it. */
    public ClientOverride withoutTiers() {
        return new ClientOverride(subject, value, endpoint, "");
    }

    /** A copy for another endpoint. */
    public ClientOverride at(String other) {
        return new ClientOverride(subject, value, other, tiers);
    }
}
