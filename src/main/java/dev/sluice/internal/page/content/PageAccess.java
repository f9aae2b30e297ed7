package dev.sluice.internal.page.content;

import java.util.Set;
import java.util.function.Predicate;

/**
 * Who may read the page: everybody, users with one of some roles, or nobody.
 *
 * @param roles one of them is enough
 * @param open whether no role is needed
 */
public record PageAccess(Set<String> roles, boolean open) {

    /** Nobody. */
    public static final PageAccess CLOSED = new PageAccess(Set.of(), false);

    /** Everybody who reaches the server. */
    public static final PageAccess OPEN = new PageAccess(Set.of(), true);

    public PageAccess {
        roles = Set.copyOf(roles);
    }

    public boolean isClosed() {
        return !open && roles.isEmpty();
    }

    /** Whether it admits a caller of whom it can be asked whether they have a role. */
    public boolean admits(Predicate<String> hasRole) {
        return open || roles.stream().anyMatch(hasRole);
    }
}
