package org.apache.kafka.connect.runtime.distributed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.connect.util.ConnectorTaskId;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Puts the questions that come on stdin, one JSON object a line, to Connect's own assignors and prints their answers.
 *
 * <pre>
 * {"cmd":"hello"}                                              which Java this is
 * {"cmd":"new","assignor":"incremental"|"eager","maxDelay":MS} a leader that has led nothing yet
 * {"cmd":"round",…}                                            what it tells every member
 * {"cmd":"bench","warm":N,"laps":N,"rounds":[…]}               how long these rounds take a new leader, ns a lap
 * </pre>
 *
 * One source serves the releases from 2.3 to 4.4: what changed its shape between them is reached by reflection. It stands
 * in Connect's package because half of what it needs is visible only there.
 */
public final class AskLeader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STORE = "configStorage";

    private final ConnectAssignor assignor;
    private final WorkerCoordinator coordinator;
    private long clock;

    private AskLeader(JsonNode ask) throws Exception {
        Class<?> type = ask.path("assignor").asText().equals("eager") ? EagerAssignor.class : IncrementalCooperativeAssignor.class;
        assignor = (ConnectAssignor) construct(type.getConstructors()[0], ask.path("maxDelay").asInt(300000));
        Field unsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        // A coordinator without its network: the assignors only read what a round sets below.
        coordinator = (WorkerCoordinator) ((sun.misc.Unsafe) unsafe.get(null)).allocateInstance(WorkerCoordinator.class);
    }

    public static void main(String[] args) throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        PrintStream answers = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err);
        AskLeader leader = null;
        String line;
        while ((line = questions.readLine()) != null) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                JsonNode ask = JSON.readTree(line);
                switch (ask.path("cmd").asText()) {
                    case "hello":
                        answer.put("java", System.getProperty("java.specification.version"));
                        break;
                    case "new":
                        leader = new AskLeader(ask);
                        answer.put("ok", true);
                        break;
                    case "round":
                        answer = answer(leader.new Round(ask).decide());
                        break;
                    case "bench":
                        bench(ask, answer);
                        break;
                    default:
                        throw new IllegalArgumentException("no such cmd");
                }
            } catch (Throwable t) {
                Throwable cause = t.getCause() == null ? t : t.getCause();
                answer.removeAll();
                answer.put("exception", cause.toString());
            }
            answers.println(JSON.writeValueAsString(answer));
        }
    }

    private static void bench(JsonNode ask, ObjectNode answer) throws Exception {
        ArrayNode laps = answer.putArray("ns");
        int warm = ask.path("warm").asInt();
        for (int lap = -warm; lap < ask.path("laps").asInt(); lap++) {
            AskLeader leader = new AskLeader(ask);
            List<Round> rounds = new ArrayList<>();
            for (JsonNode round : ask.get("rounds")) rounds.add(leader.new Round(round));
            long spent = 0;
            for (Round round : rounds) {
                round.set();
                long start = System.nanoTime();
                round.perform();
                spent += System.nanoTime() - start;
            }
            if (lap >= 0) laps.add(spent);
        }
    }

    /** One question to this leader, turned into what a coordinator hands to an assignor. */
    private final class Round {
        private final JsonNode ask;
        private final ConnectProtocolCompatibility protocol;
        private final List<JoinGroupResponseMember> members = new ArrayList<>();
        private final Object config;
        private final Object fresh;

        Round(JsonNode ask) throws Exception {
            this.ask = ask;
            protocol = ConnectProtocolCompatibility.compatibility(ask.get("protocol").asText());
            config = config(ask.get("config"));
            fresh = ask.has("fresh") ? config(ask.get("fresh")) : config;
            for (JsonNode m : ask.get("members")) {
                members.add(new JoinGroupResponseMember().setMemberId(m.get("id").asText()).setMetadata(metadata(m)));
            }
        }

        private byte[] metadata(JsonNode m) throws Exception {
            if (m.has("metadata")) return m.get("metadata").binaryValue();
            String url = m.path("url").asText("");
            long offset = m.path("offset").asLong(ask.get("config").get("offset").asLong());
            if (protocol == ConnectProtocolCompatibility.EAGER)
                return bytes(ConnectProtocol.serializeMetadata(new ConnectProtocol.WorkerState(url, offset)));
            boolean sessioned = protocol.name().equals("SESSIONED");
            List<String> connectors = new ArrayList<>();
            m.path("connectors").forEach(c -> connectors.add(c.asText()));
            List<ConnectorTaskId> tasks = new ArrayList<>();
            m.path("tasks").forEach(t -> tasks.add(new ConnectorTaskId(t.get(0).asText(), t.get(1).asInt())));
            ExtendedAssignment held = new ExtendedAssignment((short) (sessioned ? 2 : 1), (short) 0, ask.get("leader").asText(), url,
                offset, connectors, tasks, Collections.emptyList(), Collections.emptyList(), 0);
            ExtendedWorkerState state = new ExtendedWorkerState(url, offset, held);
            Method serialize = method(IncrementalCooperativeConnectProtocol.class, "serializeMetadata");
            return bytes((ByteBuffer) (serialize.getParameterCount() == 1 ? serialize.invoke(null, state)
                : serialize.invoke(null, state, sessioned)));
        }

        void set() throws Exception {
            clock = ask.path("now").asLong();
            put("configSnapshot", config);
            put("lastCompletedGenerationId", ask.path("lastCompleted").asInt());
            Class<?> type = Class.forName("org.apache.kafka.clients.consumer.internals.AbstractCoordinator$Generation");
            for (Constructor<?> c : type.getDeclaredConstructors()) {
                if (c.getParameterCount() != 3) continue;
                c.setAccessible(true);
                put("generation", c.newInstance(ask.path("generation").asInt(), ask.get("leader").asText(), ask.get("protocol").asText()));
            }
            put(STORE, Proxy.newProxyInstance(AskLeader.class.getClassLoader(), new Class<?>[]{field(STORE).getType()}, (p, m, a) -> {
                if (m.getName().equals("snapshot")) return fresh;
                throw new UnsupportedOperationException(m.getName());
            }));
        }

        @SuppressWarnings("unchecked")
        Map<String, ByteBuffer> perform() throws Exception {
            Method perform = method(ConnectAssignor.class, "performAssignment");
            boolean named = perform.getParameterTypes()[1] == String.class;
            return (Map<String, ByteBuffer>) perform.invoke(assignor, ask.get("leader").asText(),
                named ? protocol.protocol() : protocol, members, coordinator);
        }

        Map<String, byte[]> decide() throws Exception {
            set();
            Map<String, byte[]> out = new TreeMap<>();
            for (Map.Entry<String, ByteBuffer> e : perform().entrySet()) out.put(e.getKey(), bytes(e.getValue()));
            return out;
        }
    }

    private static ObjectNode answer(Map<String, byte[]> told) throws Exception {
        ObjectNode all = JSON.createObjectNode();
        for (Map.Entry<String, byte[]> e : told.entrySet()) {
            ObjectNode one = all.putObject(e.getKey());
            ByteBuffer in = ByteBuffer.wrap(e.getValue());
            ConnectProtocol.Assignment a;
            if (in.getShort(0) == 0) a = ConnectProtocol.deserializeAssignment(in);
            else a = IncrementalCooperativeConnectProtocol.deserializeAssignment(in);
            ExtendedAssignment x = a instanceof ExtendedAssignment ? (ExtendedAssignment) a : null;
            one.put("error", a.error()).put("offset", a.offset());
            list(one, "connectors", "tasks", a.connectors(), a.tasks());
            list(one, "revokedConnectors", "revokedTasks", x == null ? Collections.emptySet() : x.revokedConnectors(),
                x == null ? Collections.emptySet() : x.revokedTasks());
            one.put("delay", x == null ? 0 : x.delay()).put("bytes", e.getValue());
        }
        return all;
    }

    private static void list(ObjectNode to, String names, String ids, Collection<String> connectors, Collection<ConnectorTaskId> tasks) {
        ArrayNode out = to.putArray(names);
        for (String c : new TreeSet<>(connectors)) out.add(c);
        out = to.putArray(ids);
        for (ConnectorTaskId t : new TreeSet<>(tasks)) out.addArray().add(t.connector()).add(t.task());
    }

    /** The config topic as a worker has read it; the class moved and grew between releases. */
    private static Object config(JsonNode json) throws Exception {
        Map<String, Integer> counts = new HashMap<>();
        Map<String, Map<String, String>> connectors = new HashMap<>();
        Map<ConnectorTaskId, Map<String, String>> tasks = new HashMap<>();
        for (Iterator<Map.Entry<String, JsonNode>> i = json.get("connectors").fields(); i.hasNext(); ) {
            Map.Entry<String, JsonNode> e = i.next();
            connectors.put(e.getKey(), Collections.emptyMap());
            counts.put(e.getKey(), e.getValue().asInt());
            for (int n = 0; n < e.getValue().asInt(); n++) tasks.put(new ConnectorTaskId(e.getKey(), n), Collections.emptyMap());
        }
        Constructor<?> shortest = null;
        for (Constructor<?> c : method(WorkerCoordinator.class, "configFreshSnapshot").getReturnType().getConstructors())
            if (shortest == null || c.getParameterCount() < shortest.getParameterCount()) shortest = c;
        // Its maps come in one order in every release: task counts, connectors, target states, tasks, and then newer things.
        Iterator<Map<?, ?>> maps = List.<Map<?, ?>>of(counts, connectors, new HashMap<>(), tasks).iterator();
        Class<?>[] types = shortest.getParameterTypes();
        Object[] args = new Object[types.length];
        for (int i = 0; i < args.length; i++) {
            if (types[i] == long.class) args[i] = json.get("offset").asLong();
            else if (types[i] == Map.class) args[i] = maps.hasNext() ? maps.next() : new HashMap<>();
            else if (types[i] == Set.class) args[i] = new HashSet<>();
        }
        return shortest.newInstance(args);
    }

    /** By parameter type: an int is the delay, an interface the clock, the rest has a constructor without parameters. */
    private Object construct(Constructor<?> c, int maxDelay) throws Exception {
        Object[] args = new Object[c.getParameterCount()];
        for (int i = 0; i < args.length; i++) {
            Class<?> type = c.getParameterTypes()[i];
            if (type == int.class) args[i] = maxDelay;
            else if (!type.isInterface()) args[i] = type.getConstructor().newInstance();
            else args[i] = Proxy.newProxyInstance(AskLeader.class.getClassLoader(), new Class<?>[]{type}, (p, m, a) -> {
                if (m.getName().equals("milliseconds")) return clock;
                throw new UnsupportedOperationException(m.getName());
            });
        }
        return c.newInstance(args);
    }

    private static Method method(Class<?> type, String name) {
        for (Method m : type.getMethods()) if (m.getName().equals(name)) return m;
        throw new IllegalStateException(type + " has no " + name);
    }

    private static Field field(String name) throws NoSuchFieldException {
        for (Class<?> c = WorkerCoordinator.class; c != null; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (!f.getName().equals(name)) continue;
                f.setAccessible(true);
                return f;
            }
        }
        throw new NoSuchFieldException(name);
    }

    private void put(String name, Object value) throws Exception {
        try {
            field(name).set(coordinator, value);
        } catch (NoSuchFieldException e) {
            // 2.3 has no last completed generation, and its assignor asks for none.
            if (!name.equals("lastCompletedGenerationId")) throw e;
        }
    }

    private static byte[] bytes(ByteBuffer b) {
        byte[] out = new byte[b.remaining()];
        b.duplicate().get(out);
        return out;
    }
}
