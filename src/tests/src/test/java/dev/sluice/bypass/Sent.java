package dev.sluice.bypass;

import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.internal.servlet.contract.WebServer;
import java.util.List;
import java.util.function.Function;

/**
 * A message to be sent over a connection of its own.
 *
 * @param text the line in the corpus
 * @param exchange sends the message, and returns all answers
 */
record Sent(String text, Function<WebServer, List<Answer>> exchange) {}
