package dev.sluice.store.redis.link;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Sends single commands to Redis, outside exchanges. */
public final class RedisSend {

    private RedisSend() {}

    public static CommandArgs<String, String> args() {
        return new CommandArgs<>(StringCodec.UTF8);
    }

    public static <T> CompletionStage<T> send(
            StatefulConnection<String, String> connection,
            CommandType type,
            CommandOutput<String, String, T> output,
            CommandArgs<String, String> args) {
        AsyncCommand<String, String, T> command = new AsyncCommand<>(new Command<>(type, output, args));
        connection.dispatch(command);
        return command;
    }

    /** Calls a script by its text, which is short and rarely used. */
    public static <T> CompletionStage<T> script(
            StatefulConnection<String, String> connection,
            String text,
            CommandOutput<String, String, T> output,
            List<String> keys,
            List<String> arguments) {
        CommandArgs<String, String> args = args().add(text).add(keys.size());
        keys.forEach(args::addKey);
        arguments.forEach(args::add);
        return send(connection, CommandType.EVAL, output, args);
    }
}
