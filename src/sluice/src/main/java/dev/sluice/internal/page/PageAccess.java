package dev.sluice.internal.page;

import java.util.Set;
import java.util.function.Predicate;

/**
 * Who may read the page, or who may change something on it: everybody, users with a role, or nobody. Immutable.
 *
 * @param roles a user needs one of these
 * @param open whether everybody may
 */
public record PageAccess(Set<String> roles, boolean open) {

    /** Nobody may. */
    public static final PageAccess CLOSED = new PageAccess(Set.of(), false);

    /** Everybody who can reach the server may. */
    public static final PageAccess OPEN = new PageAccess(Set.of(), true);

    public PageAccess {
        roles = Set.copyOf(roles);
    }

    public boolean isClosed() {
        return !open && roles.isEmpty();
    }

    /**
     * Whether a caller may.
     *
     * @param hasRole whether the caller has a role
     */
    public boolean admits(Predicate<String> hasRole) {
        return open || roles.stream().anyMatch(hasRole);
    }
}
