package dev.sluice.internal.store.redis.admin;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.CounterNames;
import dev.sluice.internal.store.redis.connection.RedisLink;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stores blocked callers in a Redis hash, with a sorted set of their changes. If nothing has changed, a poll costs one
 * short script call. Thread-safe.
 */
public final class RedisBlockStore implements BlockStore {

    /**
     * The keys of the blocks, of the order of their changes, and of the times at which blocks end. Blocks of callers
     * that can change their names at will have a separate key for these times. The braces keep all keys on one cluster
     * node.
     */
    private static final String[] KEYS = {
        "sluice:{limits}:blocks",
        "sluice:{limits}:blocks:order",
        "sluice:{limits}:blocks:ends",
        "sluice:{limits}:blocks:madeup"
    };

    private static final String READ_AT_ONCE = "500";
    private static final Pattern VALUE =
            Pattern.compile("(\\d{1,15}) (\\d{1,15}) (\\d{1,9})(?: (\\d{1,9}) (\\d{1,15}) (\\d{1,15}) (\\d{1,15}))?");

    /**
     * The beginning of both scripts. The {@code !} field contains a random name for the data, called its birth, and the
     * number of changes since the first write. The keys and any ended blocks expire after a limited time. ARGV: the
     * name to use if there is no data yet; how long to retain an ended block; and the maximum number of blocks.
     */
    private static final String BEGINNING = """
            if redis.replicate_commands then redis.replicate_commands() end
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local calm, most = tonumber(ARGV[2]), tonumber(ARGV[3])
            local function text(number)
              return string.format('%.0f', number)
            end
            for n = 1, #KEYS do
              local found = redis.pcall(n == 1 and 'HLEN' or 'ZCARD', KEYS[n])
              if type(found) == 'table' and found.err then redis.call('UNLINK', KEYS[n]) end
            end
            -- The value of a field; empty if it is longer than Sluice writes.
            local function short(field)
              return redis.call('HSTRLEN', KEYS[1], field) <= 100 and redis.call('HGET', KEYS[1], field) or ''
            end
            local birth, number = string.match(short('!'), '^([%w-]+)%.(%d+)$')
            number = tonumber(number or '0')
            local function forget(fields)
              for _, field in ipairs(fields) do
                redis.call('HDEL', KEYS[1], field)
                for n = 2, 4 do redis.call('ZREM', KEYS[n], field) end
              end
            end
            local function times(field)
              local since, ends = string.match(short(field), '^(%d+) (%d+) ')
              return tonumber(since or '-1'), tonumber(ends or '-1')
            end
            -- Drops the blocks that end first.
            local function forgetFirst(key, tooMany)
              if tooMany > 0 then forget(redis.call('ZRANGE', key, 0, math.min(tooMany, 200) - 1)) end
            end
            local function put(field, isMadeUp, since, ends, count)
              birth = birth or ARGV[1]
              number = number + 1
              redis.call('HSET', KEYS[1], field, text(since) .. ' ' .. text(ends) .. ' ' .. count)
              redis.call('HSET', KEYS[1], '!', birth .. '.' .. text(number))
              redis.call('ZADD', KEYS[2], text(number), field)
              redis.call('ZADD', KEYS[isMadeUp == '1' and 4 or 3], text(ends), field)
              for n = 1, #KEYS do
                local left = math.max(redis.call('PTTL', KEYS[n]), ends + calm - now)
                redis.call('PEXPIRE', KEYS[n], text(left))
              end
            end
            """;

    /**
     * Stores new blocks, and returns changes. Further ARGV: the instance's version; the maximum number of changes to
     * return; and for each block: its name, 1 if the caller can change its name at will, its start, its end, and its
     * number with the cause.
     */
    private static final String EXCHANGE = BEGINNING + """
            local knownBirth, known = string.match(ARGV[4], '^([%w-]+)%.(%d+)$')
            known = tonumber(known or '0')
            local isLoss = knownBirth and (knownBirth ~= birth or number < known)
            for n = 6, #ARGV, 5 do
              local since, ends = tonumber(ARGV[n + 2]), tonumber(ARGV[n + 3])
              local thereSince, thereEnds = times(ARGV[n])
              if since > thereSince or (since == thereSince and ends > thereEnds) then
                put(ARGV[n], ARGV[n + 1], since, ends, ARGV[n + 4])
              end
            end
            if #ARGV > 5 then
              for n = 3, 4 do
                forget(redis.call('ZRANGEBYSCORE', KEYS[n], '-inf', text(now - calm), 'LIMIT', 0, 100))
              end
              local verified, madeUp = redis.call('ZCARD', KEYS[3]), redis.call('ZCARD', KEYS[4])
              local mostMadeUp = math.max(most / 2, most - verified)
              forgetFirst(KEYS[4], madeUp - mostMadeUp)
              forgetFirst(KEYS[3], verified + math.min(madeUp, mostMadeUp) - most)
            end
            if not birth then return { '', isLoss and 1 or 0, 0 } end
            local from = (isLoss or not knownBirth) and 0 or known + 1
            local changed = redis.call('ZRANGEBYSCORE', KEYS[2], text(from), '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[5])
            local hasMore = #changed == 2 * tonumber(ARGV[5])
            local answer = { birth .. '.' .. (hasMore and changed[#changed] or text(number)),
              isLoss and 1 or 0, hasMore and 1 or 0 }
            for n = 1, #changed, 2 do
              if #changed[n] <= 8192 then
                answer[#answer + 1] = changed[n]
                answer[#answer + 1] = short(changed[n])
              end
            end
            return answer
            """;

    /**
     * Ends a block that is in force. Returns 1 if there was such a block. Further ARGV: the name of the block, and 1 if
     * the caller can change its name at will.
     */
    private static final String UNBLOCK = BEGINNING + """
            local since, ends = times(ARGV[4])
            if ends <= now then return 0 end
            put(ARGV[4], ARGV[5], math.max(now, since + 1), now, '0')
            return 1
            """;

    private final RedisLink link;

    /** Creates a store that uses the given link. {@link #close} also closes the link. */
    public RedisBlockStore(RedisLink link) {
        this.link = link;
    }

    @Override
    public CompletionStage<Changes> exchange(String version, List<Block> begun) {
        List<String> values = beginning();
        values.add(version);
        values.add(READ_AT_ONCE);
        for (Block block : begun) {
            values.add(block.key().identity());
            values.add(madeUp(block.key()));
            values.add(String.valueOf(block.sinceMillis()));
            values.add(String.valueOf(block.untilMillis()));
            values.add(block.number() + cause(block.cause()));
        }
        return link.send(
                redis -> redis.<List<Object>>eval(EXCHANGE, ScriptOutputType.MULTI, KEYS, values.toArray(String[]::new))
                        .thenApply(RedisBlockStore::changes));
    }

    private static String madeUp(CounterKey key) {
        return BlockStore.isMadeUp(key) ? "1" : "0";
    }

    private static String cause(Block.@Nullable Cause cause) {
        return cause == null
                ? ""
                : " " + cause.refusals() + ' ' + cause.withinMillis() + ' ' + cause.threshold() + ' '
                        + cause.periodMillis();
    }

    private static List<String> beginning() {
        return new ArrayList<>(List.of(
                UUID.randomUUID().toString(), String.valueOf(Block.CALM.toMillis()), String.valueOf(Block.MOST)));
    }

    private static Changes changes(List<Object> answer) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 3; i + 1 < answer.size(); i += 2) {
            block(String.valueOf(answer.get(i)), String.valueOf(answer.get(i + 1)))
                    .ifPresent(blocks::add);
        }
        return new Changes(
                String.valueOf(answer.get(0)),
                Long.valueOf(1).equals(answer.get(1)),
                Long.valueOf(1).equals(answer.get(2)),
                blocks);
    }

    /** Parses a block; empty if the value is malformed because another program has written it. */
    private static Optional<Block> block(String name, String value) {
        Matcher parts = VALUE.matcher(value);
        return parts.matches()
                ? CounterNames.of(name, 0, 0)
                        .map(key -> new Block(
                                key,
                                Long.parseLong(parts.group(1)),
                                Long.parseLong(parts.group(2)),
                                Integer.parseInt(parts.group(3)),
                                cause(parts)))
                : Optional.empty();
    }

    private static Block.@Nullable Cause cause(Matcher parts) {
        return parts.group(4) == null
                ? null
                : new Block.Cause(
                        Integer.parseInt(parts.group(4)),
                        Long.parseLong(parts.group(5)),
                        Long.parseLong(parts.group(6)),
                        Long.parseLong(parts.group(7)));
    }

    @Override
    public CompletionStage<Boolean> unblock(CounterKey key) {
        List<String> values = beginning();
        values.add(key.identity());
        values.add(madeUp(key));
        return link.send(
                redis -> redis.<Long>eval(UNBLOCK, ScriptOutputType.INTEGER, KEYS, values.toArray(String[]::new))
                        .thenApply(ended -> ended > 0));
    }

    @Override
    public void close() {
        link.close();
    }
}
