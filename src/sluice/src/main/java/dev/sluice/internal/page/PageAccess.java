package dev.sluice.internal.page;

import java.util.Set;
import java.util.function.Predicate;

/**
 * The callers that may read the page, or that may change something on it: everybody, users with a role, or nobody.
 * Immutable.
 *
 * @param roles the roles of which a user needs one
 * @param open whether everybody has access
 */
public record PageAccess(Set<String> roles, boolean open) {

    /** Nobody has access. */
    public static final PageAccess CLOSED = new PageAccess(Set.of(), false);

    /** Everybody who can reach the server has access. */
    public static final PageAccess OPEN = new PageAccess(Set.of(), true);

    public PageAccess {
        roles = Set.copyOf(roles);
    }

    public boolean isClosed() {
        return !open && roles.isEmpty();
    }

    /**
     * Whether a caller has access.
     *
     * @param hasRole tells whether the caller has a role
     */
    public boolean admits(Predicate<String> hasRole) {
        return open || roles.stream().anyMatch(hasRole);
    }
}
