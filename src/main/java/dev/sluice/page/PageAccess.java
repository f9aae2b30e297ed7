package dev.sluice.page;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;

/**
 * Who may read the page: everybody, users with one of some roles, or nobody.
 *
 * @param roles one of them is enough
 * @param open whether no role is needed
 */
record PageAccess(Set<String> roles, boolean open) {

    /** Nobody. */
    static final PageAccess CLOSED = new PageAccess(Set.of(), false);

    /** Everybody who reaches the server. */
    static final PageAccess OPEN = new PageAccess(Set.of(), true);

    PageAccess {
        roles = Set.copyOf(roles);
    }

    boolean isClosed() {
        return !open && roles.isEmpty();
    }

    boolean admits(HttpServletRequest request) {
        return open || roles.stream().anyMatch(request::isUserInRole);
    }
}
