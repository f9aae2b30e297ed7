package dev.sluice.internal.page.content;

import org.jspecify.annotations.Nullable;

/** A request for the page, as its server has read it. */
public interface PageRequest {

    String method();

    /** Where the page is mapped, without the slash behind it, for example {@code /_sluice}. */
    String mappedTo();

    /** The rest of the path, for example {@code /data.json}; empty if nothing follows. */
    String below();

    /** {@code null} if there is none. */
    @Nullable String header(String name);

    /** {@code null} if there is none. */
    @Nullable String parameter(String name);
}
