package dev.sluice.cli.limits;

import picocli.CommandLine.Parameters;

/** The first two parameters of a {@code limits} command: a client, and the endpoint at which its limit is set. */
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
