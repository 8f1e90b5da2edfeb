"""Writes the records of the tests with the opcodes that torch's Pickler uses
(torch/csrc/jit/serialization/pickler.cpp, a public copy; without tags of
types): protocol 2, equal strings once, what is shared once. The fields are those
of torch/csrc/distributed/c10d/FlightRecorderDetail.hpp (main, 2026).
Run it in this folder."""
import json, os, struct
class P:
    def __init__(s): s.o=bytearray(b'\x80\x02'); s.memo={}; s.n=0
    def put(s):
        n=s.n; s.n+=1
        s.o+= b'q'+bytes([n]) if n<256 else b'r'+struct.pack('<I',n)
        return n
    def get(s,n): s.o+= b'h'+bytes([n]) if n<256 else b'j'+struct.pack('<I',n)
    def val(s,v):
        if v is None: s.o+=b'N'
        elif v is True: s.o+=b'\x88'
        elif v is False: s.o+=b'\x89'
        elif isinstance(v,str):
            if v in s.memo: s.get(s.memo[v]); return
            b=v.encode(); s.o+=b'X'+struct.pack('<I',len(b))+b; s.memo[v]=s.put()
        elif isinstance(v,int):
            if 0<=v<2**8: s.o+=b'K'+bytes([v])
            elif 0<=v<2**16: s.o+=b'M'+struct.pack('<H',v)
            elif -2**31<=v<2**31: s.o+=b'J'+struct.pack('<i',v)
            else: s.o+=b'\x8a\x08'+struct.pack('<q',v)
        elif isinstance(v,float): s.o+=b'G'+struct.pack('>d',v)
        elif isinstance(v,tuple):
            for x in v: s.val(x)
            s.o+=b'\x86' # of two
        elif id(v) in s.memo: s.get(s.memo[id(v)])
        else:
            s.o+=b']' if isinstance(v,list) else b'}'
            s.o+=b'('
            for x in v if isinstance(v,list) else [y for pair in v.items() for y in pair]: s.val(x)
            s.o+=b'e' if isinstance(v,list) else b'u'
            if id(v) in shared: s.memo[id(v)]=s.put()
    def done(s): return bytes(s.o)+b'.'
shared=set()
kept={}
def frames(where):
    if where not in kept:
        kept[where]=stack(where)
        shared.update(id(f) for f in kept[where])
    return list(kept[where])
def stack(where):
    return [{"name":"all_reduce","filename":"/opt/conda/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py","line":2806},
            {"name":"wrapper","filename":"/opt/conda/lib/python3.11/site-packages/torch/distributed/c10d_logger.py","line":81},
            {"name":where[2],"filename":where[0],"line":where[1]},
            {"name":"<module>","filename":"/workspace/train.py","line":301}]
T0=1740823200000000000
def dump(world,last,states,op="nccl:all_reduce",size=4194304,where=("/workspace/train.py",212,"train_step"),first=1204,version="2.10"):
    entries=[]
    for i,seq in enumerate(range(first,last+1)):
        st=states.get(seq,"completed")
        entries.append({"frames":frames(where),"record_id":i,"pg_id":0,"process_group":("0","default_pg"),"collective_seq_id":seq,"p2p_seq_id":0,"op_id":seq,
          "profiling_name":op if seq==last else "nccl:all_reduce","time_created_ns":T0+i*1_500_000_000,**({"duration_ms":12.5} if st=="completed" else {}),
          "input_sizes":[[size]],"input_dtypes":["Float"],"output_sizes":[[size]],"output_dtypes":["Float"],"state":st,
          "time_discovered_started_ns":None,"time_discovered_completed_ns":T0+i*1_500_000_000+12_500_000 if st=="completed" else None,"retired":st=="completed","timeout_ms":600000,"is_p2p":False})
    return {"version":version,"pg_config":{"0":{"name":"0","desc":"default_pg","ranks":str(list(range(world)))}},"comm_lib_version":"2.27.5",
      "pg_status":{"0":{"last_enqueued_collective":last,"last_started_collective":-1,"last_completed_collective":max([s for s in range(first,last+1) if states.get(s,"completed")=="completed"],default=-1)}},"entries":entries}
def write(d,dir,rank,js=False,name="nccl_trace_rank_"):
    os.makedirs(dir,exist_ok=True)
    if js: open(f"{dir}/{name}{rank}","w").write(json.dumps(d,sort_keys=True)); return
    p=P(); p.val(d); open(f"{dir}/{name}{rank}","wb").write(p.done())
b="./"
W={1206:"scheduled"}
for r in (0,1,3): write(dump(4,1206,W),b+'behind',r)
write(dump(4,1205,{},where=("/workspace/checkpoint.py",88,"save_checkpoint")),b+'behind',2)
for r in (0,1,3): write(dump(4,1206,W),b+'desync',r)
write(dump(4,1206,W,op="nccl:broadcast",where=("/workspace/eval.py",40,"evaluate")),b+'desync',2)
for r in range(4): write(dump(4,1206,W),b+'allwait',r)
for r in range(4): write(dump(4,1206,{}),b+'healthy',r)
for r in (0,1,3): write(dump(4,1206,W),b+'missing',r)
for r in (0,1,3): write(dump(4,1206,W),b+'json',r,True)
write(dump(4,1205,{}),b+'json',2,True)
for r in (0,1,3): write(dump(4,1206,{1206:"started"}),b+'timing',r)
write(dump(4,1206,W),b+'timing',2)
