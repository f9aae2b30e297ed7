package dev.sluice.cli;

import picocli.CommandLine.Parameters;

/** Whom and where a {@code limits} command speaks of. */
final class ClientAtEndpoint {

    @Parameters(index = "0", paramLabel = "CLIENT", description = "The value of the subject, such as acme.")
    private String client = "";

    @Parameters(index = "1", paramLabel = "ENDPOINT", description = "The id of an endpoint of the file.")
    private String endpoint = "";

    ClientAtEndpoint() {}

    String client() {
        return client;
    }

    String endpoint() {
        return endpoint;
    }
}
