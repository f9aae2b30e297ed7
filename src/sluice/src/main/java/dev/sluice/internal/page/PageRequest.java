package dev.sluice.internal.page;

import org.jspecify.annotations.Nullable;

/** A request for the page, as its server has read it. */
public interface PageRequest {

    String method();

    /** The path that the page is mapped to, without a slash at the end, for example {@code /_sluice}. */
    String mappedTo();

    /** The rest of the path, for example {@code /data.json}; empty if nothing follows. */
    String below();

    /** The first value of a header; {@code null} if there is none. */
    @Nullable String header(String name);

    /** The first value of a query parameter; {@code null} if there is none. */
    @Nullable String parameter(String name);
}
